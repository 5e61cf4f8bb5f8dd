import type { WireObject, WireValue } from '../../wire/normalize.ts'
import { countOf, dateOf, listOf, objectsOf, textOf, totalOf } from '../../wire/read-values.ts'
import { LIMITS } from './limits.ts'

export interface ParsedPoll {
  /** The texts exactly as received, because a vote names its option by this text. */
  options: string[]
  /** The votes of each option. */
  tallies: number[]
  multiple: boolean
  /** null if the origin does not publish it. */
  votersCount: number | null
  /** When it ends or ended; null for a poll without an end. */
  expiresAt: Date | null
}

/**
 * Reads the poll of a Question; null if it has no options. `now` is the end of a poll that is closed without a time.
 */
export function readPoll(object: WireObject, { now }: { now: Date }): ParsedPoll | null {
  // Some servers always send both properties and leave one empty.
  const kind = ['anyOf', 'oneOf'].find((name) => Array.isArray(object[name]) && listOf(object[name]).length > 0)
  if (kind === undefined) return null
  const options: string[] = []
  const tallies: number[] = []
  for (const choice of objectsOf(object[kind], LIMITS.options)) {
    const text = optionTextOf(choice['name']) ?? optionTextOf(choice['content'])
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
    expiresAt: expiresAtOf(object, now),
  }
}

function optionTextOf(value: WireValue | undefined): string | null {
  const text = textOf(value, LIMITS.option)
  return text === null || text.trim() === '' ? null : text
}

function expiresAtOf(object: WireObject, now: Date): Date | null {
  const [closed] = listOf(object['closed'])
  if (closed !== undefined && closed !== false) return dateOf(closed) ?? now
  return dateOf(object['endTime'])
}
