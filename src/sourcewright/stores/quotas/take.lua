-- Counts one request under some rates and a daily quota, or counts nothing and says how long to
-- wait: the arithmetic of `RequestRate` and `DailyQuota`, run by Redis so that it is atomic.
-- KEYS: the mark of each rate with the time of its last request, then the count of the day.
-- ARGV: now, the number of rates, seconds and requests of each, and, if there is a quota,
-- its requests and the seconds that are left of the day.
local now, rates = tonumber(ARGV[1]), tonumber(ARGV[2])
local quota, left = tonumber(ARGV[2 * rates + 3]), tonumber(ARGV[2 * rates + 4])
local wait, marks, before = 0, {}, {}

-- Redis measures expiry with its own clock, and a little later is early enough.
local function expiry(seconds)
  return math.ceil(seconds * 1000) + 60000
end

-- A request of a busy server may arrive long after its time was read, and the clocks of servers
-- differ a little: the latest time that anybody has sent is nearer to the truth. A clock that is
-- far ahead is not believed.
local sent = now
for i = 1, rates do
  local mark, at = string.match(redis.call('GET', KEYS[i]) or '', '^(%S+) (%S+)$')
  before[i], at = tonumber(mark), tonumber(at)
  if at and at > now and at - sent <= 30 then
    now = at
  end
end
for i = 1, rates do
  local seconds, requests = tonumber(ARGV[2 * i + 1]), tonumber(ARGV[2 * i + 2])
  -- A mark further ahead was written under another limit, or by a clock that was ahead.
  local mark = math.min(before[i] or now, now + seconds)
  marks[i] = math.max(mark, now) + seconds / requests
  wait = math.max(wait, marks[i] - now - seconds)
end
if quota and tonumber(redis.call('GET', KEYS[rates + 1]) or 0) >= quota then
  wait = math.max(wait, left)
end
if wait > 0 then
  return string.format('%.17g', wait)
end
-- A mark matters for a minute, so that it is not worth waiting for Redis' disk and replicas; the
-- count of a day is. A server that cannot make this difference keeps both.
pcall(redis.set_repl, redis.REPL_NONE)
for i = 1, rates do
  local value = string.format('%.17g %.17g', marks[i], now)
  redis.call('SET', KEYS[i], value, 'PX', expiry(marks[i] - now))
end
pcall(redis.set_repl, redis.REPL_ALL)
if quota then
  redis.call('INCR', KEYS[rates + 1])
  redis.call('PEXPIRE', KEYS[rates + 1], expiry(left))
end
return '0'
