import type { WireObject, WireValue } from '../wire/normalise.ts'
import { countOf, dateOf, listOf, objectsOf, textOf, totalOf } from '../wire/read.ts'
import { LIMITS } from './limits.ts'

export interface PollFacts {
  /** As they are written: by that a vote names one. */
  options: string[]
  /** As many as there are options. */
  tallies: number[]
  multiple: boolean
  /** null: the origin does not tell. */
  votersCount: number | null
  /** When it ends or ended; null: never. */
  expiresAt: Date | null
}

/** The poll of a question; null where there is none to choose from. `now` is when a poll ended that is just over. */
export function readPoll(object: WireObject, { now }: { now: Date }): PollFacts | null {
  // Some servers always write both, and leave one empty.
  const kind = ['anyOf', 'oneOf'].find((name) => Array.isArray(object[name]) && listOf(object[name]).length > 0)
  if (kind === undefined) return null
  const options: string[] = []
  const tallies: number[] = []
  for (const choice of objectsOf(object[kind], LIMITS.options)) {
    const text = wordsOf(choice['name']) ?? wordsOf(choice['content'])
    if (text === null) continue
    options.push(text)
    tallies.push(totalOf(choice['replies']) ?? 0)
  }
  if (options.length === 0) return null
  return {
    options,
    tallies,
    multiple: kind === 'anyOf',
    votersCount: countOf(object['votersCount']),
    expiresAt: endOf(object, now),
  }
}

function wordsOf(value: WireValue | undefined): string | null {
  const text = textOf(value, LIMITS.option)
  return text === null || text.trim() === '' ? null : text
}

function endOf(object: WireObject, now: Date): Date | null {
  const [closed] = listOf(object['closed'])
  if (closed !== undefined && closed !== false) return dateOf(closed) ?? now
  return dateOf(object['endTime'])
}
