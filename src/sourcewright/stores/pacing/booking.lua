-- The rate limit ledger in Redis: the transactions of `booking.py`, run by Redis so that they are
-- atomic. The arithmetic is that of `logic/pace`.
--
-- KEYS: the queue, what its entries wait for, the last number in the queue; then for each bucket its
-- starts, its places in flight, its hold.
-- ARGV: a request as JSON. Times are seconds and are returned as text, because Redis would cut
-- their fractions off.
local POLL, ROUNDING = 0.05, 1e-5
local MAX_SLEEP, GRACE, PENDING, SLOT = 5, 1, 2, 900

-- Nothing here matters for longer than a window, so that it is not worth waiting for Redis' disk and
-- replicas. A server that cannot make this difference keeps it.
pcall(redis.set_repl, redis.REPL_NONE)

local request = cjson.decode(ARGV[1])
local now, ticket, buckets = request.now, request.ticket, request.buckets
local queue, entries, numbers = KEYS[1], KEYS[2], KEYS[3]

local function text(number)
  return string.format('%.17g', number)
end

-- Redis measures expiry with its own clock, and a little later is early enough.
local function keep(key, seconds)
  redis.call('PEXPIRE', key, math.ceil((seconds + 60) * 1000))
end

-- An owner that has not confirmed for a while that it lives has ended.
local function lives(owner)
  return redis.call('EXISTS', request.owners .. owner) == 1
end

local function keys_of(index)
  local first = 3 * index
  return KEYS[first + 1], KEYS[first + 2], KEYS[first + 3]
end

-- Starts that were booked and not confirmed begin with `p`: they are about to happen.
local function starts_of(bucket, key)
  local rows, times = redis.call('ZRANGE', key, 0, -1, 'WITHSCORES'), {}
  for i = 1, #rows, 2 do
    local member, at = rows[i], tonumber(rows[i + 1])
    if at > now + GRACE then -- by a clock that was ahead
      at = now
      redis.call('ZADD', key, text(now), member)
    end
    if at + math.max(bucket.window, bucket.gap) < now then
      redis.call('ZREM', key, member)
    elseif member:sub(1, 1) == 'p' and at > now - PENDING then
      times[#times + 1] = math.max(at, now)
    else
      times[#times + 1] = at
    end
  end
  table.sort(times)
  return times
end

local function in_flight(key)
  local rows, count = redis.call('ZRANGE', key, 0, -1, 'WITHSCORES'), 0
  for i = 1, #rows, 2 do
    local member, since = rows[i], tonumber(rows[i + 1])
    if since > now + GRACE then
      redis.call('ZADD', key, text(now), member)
    end
    if since < now - SLOT or not lives(member:match('^[^|]*')) then
      redis.call('ZREM', key, member)
    else
      count = count + 1
    end
  end
  return count
end

local function hold(key, till)
  local left = math.ceil((till - now + 60) * 1000)
  redis.call('SET', key, text(now) .. ' ' .. text(till), 'PX', left)
end

local function held_until(key)
  local since, till = (redis.call('GET', key) or ''):match('(%S+) (%S+)')
  if not since then
    return now
  end
  since, till = tonumber(since), tonumber(till)
  if since > now + GRACE then
    till = till - since + now
    hold(key, till)
  end
  return till
end

local function earliest(bucket, starts, ahead)
  local times = {}
  for i, at in ipairs(starts) do
    times[i] = at
  end
  for _ = 0, ahead do
    local allowed = now
    if #times > 0 then
      allowed = math.max(allowed, times[#times] + bucket.gap)
    end
    if #times >= bucket.starts then
      allowed = math.max(allowed, times[#times - bucket.starts + 1] + bucket.window)
    end
    times[#times + 1] = allowed
  end
  return times[#times]
end

local function forget_entry(name)
  redis.call('ZREM', queue, name)
  redis.call('HDEL', entries, name)
end

-- The number of earlier entries per bucket that could start now. One that is blocked by another
-- bucket does not count: a slow source must not slow down the others that share a bucket with it.
local function count_ahead(number)
  local own, ahead = {}, {}
  for _, bucket in ipairs(buckets) do
    own[bucket.name] = true
  end
  for _, name in ipairs(redis.call('ZRANGEBYSCORE', queue, '-inf', '(' .. number)) do
    local packed = redis.call('HGET', entries, name)
    local entry = packed and cmsgpack.unpack(packed)
    if not entry or entry.due < now - SLOT or not lives(entry.owner) then
      forget_entry(name)
    elseif entry.ready <= now + ROUNDING and entry.due >= now - GRACE then
      local counts = true
      for _, full in ipairs(entry.crowded) do
        counts = counts and own[full]
      end
      for _, bucket in ipairs(counts and entry.buckets or {}) do
        ahead[bucket] = (ahead[bucket] or 0) + 1
      end
    end
  end
  return ahead
end

local function enqueue()
  local number = redis.call('ZSCORE', queue, ticket)
  if not number then
    number = redis.call('INCR', numbers)
    redis.call('ZADD', queue, number, ticket)
  end
  return number
end

local function wait_in_queue(entry)
  redis.call('HSET', entries, ticket, cmsgpack.pack(entry))
  for _, key in ipairs({queue, entries, numbers}) do
    keep(key, SLOT)
  end
end

local function grant()
  forget_entry(ticket)
  for i, bucket in ipairs(buckets) do
    local starts, places = keys_of(i)
    redis.call('ZADD', starts, text(now), 'p' .. ticket)
    keep(starts, math.max(bucket.window, bucket.gap))
    if bucket.at_once then
      redis.call('ZADD', places, text(now), request.owner .. '|' .. ticket)
      keep(places, SLOT)
    end
  end
end

local actions = {}

function actions.ask()
  redis.call('SET', request.owners .. request.owner, 1, 'PX', request.lease)
  local ahead = count_ahead(enqueue())
  local held, names, full, is_crowded = now, {}, {}, false
  local start_at, ready = now, now
  for i, bucket in ipairs(buckets) do
    local starts_key, places_key, hold_key = keys_of(i)
    local starts, before = starts_of(bucket, starts_key), ahead[bucket.name] or 0
    local count = in_flight(places_key)
    names[i] = bucket.name
    held = math.max(held, held_until(hold_key))
    start_at = math.max(start_at, earliest(bucket, starts, before))
    ready = math.max(ready, earliest(bucket, starts, 0))
    if bucket.at_once and count + before >= bucket.at_once then
      is_crowded = true
    end
    if bucket.at_once and count >= bucket.at_once then
      full[#full + 1] = bucket.name
    end
  end
  start_at, ready = math.max(start_at, held), math.max(ready, held)
  if start_at <= now + ROUNDING and not is_crowded then
    grant()
    return {'0', '0'}
  end
  local wait = math.max(start_at - now, is_crowded and POLL or ROUNDING)
  wait_in_queue({
    owner = request.owner,
    buckets = names,
    crowded = full,
    ready = ready,
    due = now + math.min(wait, MAX_SLEEP),
  })
  return {text(wait), text(held - now)}
end

function actions.started()
  for i in ipairs(buckets) do
    local starts = keys_of(i)
    if redis.call('ZREM', starts, 'p' .. ticket) == 1 then
      redis.call('ZADD', starts, text(now), 's' .. ticket)
    end
  end
end

-- Everything except a start that happened.
function actions.leave()
  forget_entry(ticket)
  for i in ipairs(buckets) do
    local starts, places = keys_of(i)
    redis.call('ZREM', starts, 'p' .. ticket)
    redis.call('ZREM', places, request.owner .. '|' .. ticket)
  end
end

function actions.block()
  local _, _, key = keys_of(1)
  hold(key, math.max(held_until(key), now + request.seconds))
end

function actions.usage()
  local rows = {}
  for i, bucket in ipairs(buckets) do
    local starts_key, places_key, hold_key = keys_of(i)
    local count = 0
    for _, at in ipairs(starts_of(bucket, starts_key)) do
      count = count + (at > now - bucket.seconds and 1 or 0)
    end
    rows[i] = {count, in_flight(places_key), text(math.max(0, held_until(hold_key) - now))}
  end
  return rows
end

return actions[request.action]()
