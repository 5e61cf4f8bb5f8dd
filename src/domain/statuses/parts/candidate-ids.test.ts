import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isId, timeOfStatusId } from '../../../lib/ids.ts'
import { candidateIds } from './candidate-ids.ts'

const now = new Date('2026-05-05T12:00:00Z')
const idsAt = (at: Date, random: (max: number) => number) => [...candidateIds({ now }, { at, random })]

test('a status published now or in the future gets the next id', () => {
  for (const ms of [-1_000, 0, 5_000])
    assert.deepEqual(
      idsAt(new Date(now.getTime() + ms), () => 0),
      [null],
    )
})

test('an older status gets two ids of its millisecond, and then ids of longer and longer periods after it', () => {
  const at = new Date('2020-01-01T00:00:00Z')
  const first = idsAt(at, () => 0)
  assert.equal(first.at(-1), null)
  assert.deepEqual(new Set(first.slice(0, -1).map((id) => timeOfStatusId(id!).getTime())), new Set([at.getTime()]))
  const last = idsAt(at, (max) => max - 1).slice(0, -1)
  assert.deepEqual(
    last.map((id) => timeOfStatusId(id!).getTime() - at.getTime()),
    [0, 0, 3, 15, 63, 255, 1_023],
  )
})

test('ids of the first millisecond of 1970 are valid', () => {
  assert.ok(idsAt(new Date(1), () => 0).every((id) => id === null || isId(id)))
})
