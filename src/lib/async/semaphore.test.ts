import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Semaphore } from './semaphore.ts'

test('at most as many tasks as permits run at a time, in the order of their calls, also if some fail', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.record({ turns: fc.integer({ min: 0, max: 5 }), fails: fc.boolean() }), { maxLength: 30 }),
      async (places, works) => {
        const gate = new Semaphore({ permits: places })
        const begun: number[] = []
        let inside = 0
        const results = await Promise.allSettled(
          works.map(({ turns, fails }, n) =>
            gate.run(async () => {
              begun.push(n)
              inside += 1
              assert.ok(inside <= places)
              for (let turn = 0; turn < turns; turn += 1) await Promise.resolve()
              inside -= 1
              if (fails) throw new Error(`${n}`)
              return n
            }),
          ),
        )
        assert.deepEqual(begun, [...works.keys()])
        assert.deepEqual(
          results.map((result) => (result.status === 'fulfilled' ? result.value : (result.reason as Error).message)),
          works.map(({ fails }, n) => (fails ? `${n}` : n)),
        )
        assert.equal(gate.waiting, 0)
      },
    ),
  )
})
