"""A progress bar on stderr, above which results are printed."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext


@contextmanager
def progress_bar(
    total: int, *, visible: bool
) -> Iterator[Callable[[], AbstractContextManager[None]]]:
    """A progress bar with rate and remaining time on stderr.

    Yields a context manager for each step: output inside it is printed above the bar,
    which then advances.
    """
    if not visible:
        yield nullcontext
        return
    from rich.console import Console

    console = Console(stderr=True)
    if console.is_dumb_terminal:  # where a bar cannot be erased
        yield nullcontext
        return
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        Task,
        TimeRemainingColumn,
    )
    from rich.text import Text

    class Rate(ProgressColumn):
        """Items per second, or per minute if there is less than one per second."""

        def render(self, task: Task) -> Text:
            speed = task.finished_speed or task.speed or 0
            return Text(f"{speed:.1f}/s" if speed >= 1 else f"{speed * 60:.0f}/min")

    columns = (BarColumn(), MofNCompleteColumn(), Rate(), TimeRemainingColumn())
    bar = Progress(*columns, console=console, transient=True)
    task = bar.add_task("papers", total=total)

    @contextmanager
    def step() -> Iterator[None]:
        bar.stop()
        yield
        bar.advance(task)
        bar.start()

    with bar:
        yield step
