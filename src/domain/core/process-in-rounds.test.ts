import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { processInRounds } from './process-in-rounds.ts'

/** Processes sets with the members 1, 2, … Returns the processed members of each set, and the sizes of the rounds. */
async function processSets(sizes: readonly number[], roundSize: number) {
  const processed = sizes.map((): number[] => [])
  const rounds: number[] = []
  await processInRounds(
    sizes.map((size, set) => ({ size, set })),
    {
      roundSize,
      async process(sets, limit) {
        const taken = sets.map(({ item: { size, set }, cursor }, n) => {
          const members = Array.from({ length: size }, (_, i) => i + 1).filter((id) => id > Number(cursor))
          const some = members.slice(0, limit)
          processed[set]!.push(...some)
          return { position: n + 1, last: some.at(-1)?.toString() ?? null, size: some.length }
        })
        rounds.push(taken.reduce((sum, { size }) => sum + size, 0))
        return taken
      },
    },
  )
  return { processed, rounds }
}

test('every member of every set is processed once, in order, by rounds of limited size', async () => {
  const sizes = fc.array(fc.nat({ max: 30 }), { maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(sizes, fc.integer({ min: 1, max: 20 }), async (list, roundSize) => {
      const { processed, rounds } = await processSets(list, roundSize)
      const all = list.map((size) => Array.from({ length: size }, (_, i) => i + 1))
      assert.deepEqual(processed, all)
      assert.ok(rounds.every((size) => size <= Math.max(roundSize, list.length)))
    }),
  )
})

test('many small sets take one round, and a large set takes full rounds', async () => {
  assert.deepEqual((await processSets([3, 0, 9, 9], 40)).rounds, [21])
  assert.deepEqual((await processSets([95], 40)).rounds, [40, 40, 15])
  assert.deepEqual((await processSets([3, 50], 40)).rounds, [23, 30])
})
