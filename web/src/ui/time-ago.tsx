import { useEffect, useState } from 'react'
import { formatAge, formatFullTime } from '../lib/i18n/formats.ts'

const MINUTE = 60_000
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | null = null

/** Calls `listener` every minute. All ages on the screen share one timer. */
function everyMinute(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    for (const notify of listeners) notify()
  }, MINUTE)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0 || timer === null) return
    clearInterval(timer)
    timer = null
  }
}

/** The age of something, which stays correct while it is shown. */
export function TimeAgo({ time }: { time: string }) {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => everyMinute(() => setNow(new Date())), [])
  const date = new Date(time)
  return (
    <time dateTime={time} title={formatFullTime(date)}>
      {formatAge(date, now)}
    </time>
  )
}
