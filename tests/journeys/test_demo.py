"""The demo, as a stranger runs it."""


def test_the_demo_ends_in_the_words_of_the_promise(cli):
    done = cli("demo")

    endings = [line for line in done.stdout.splitlines() if line.startswith("=> ")]
    assert done.returncode == 0, done.stderr
    assert endings == [
        "=> 10.5555/fine-paper exists",
        "=> 10.5555/retracted-paper retracted",
        "=> 10.5555/never-registered-2019 does not exist",
        "=> 10.5555/never-registered-2019 could not be checked",
    ]
