import type { WireObject } from '../wire/normalise.ts'
import { countOf, dateOf, lineOf, listOf, objectsOf, totalOf } from '../wire/read.ts'
import { LIMITS } from './limits.ts'

export interface PollFacts {
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
  const multiple = Array.isArray(object['anyOf'])
  const choices = multiple ? object['anyOf'] : object['oneOf']
  if (!Array.isArray(choices)) return null
  const options: string[] = []
  const tallies: number[] = []
  for (const choice of objectsOf(choices, LIMITS.options)) {
    const text = lineOf(choice['name'], LIMITS.option) ?? lineOf(choice['content'], LIMITS.option)
    if (text === null) continue
    options.push(text)
    tallies.push(totalOf(choice['replies']) ?? 0)
  }
  if (options.length === 0) return null
  return { options, tallies, multiple, votersCount: countOf(object['votersCount']), expiresAt: endOf(object, now) }
}

function endOf(object: WireObject, now: Date): Date | null {
  const [closed] = listOf(object['closed'])
  if (closed !== undefined && closed !== false) return dateOf(closed) ?? now
  return dateOf(object['endTime'])
}
