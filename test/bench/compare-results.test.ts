import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareResults, writeComparison } from '../../bench/report/compare-results.ts'

const row = (name: string, ...costs: [serverUs: number, databaseUs: number][]) => ({
  name,
  samples: costs.map(([serverUs, databaseUs]) => ({ serverUs, databaseUs, failures: 0 })),
})

test('a row is worse than in an earlier run if its median processor time grew by more than a tenth', () => {
  const earlier = [row('home', [100, 50], [120, 60], [1_000, 0]), row('POST', [1_000, 1_000]), row('gone', [1, 1])]
  const now = [row('home', [150, 48]), row('POST', [1_100, 1_101]), row('new', [1, 1])]
  const compared = compareResults(now, { earlier })
  assert.deepEqual(compared, [
    { name: 'home', before: 180, after: 198, isWorse: false },
    { name: 'POST', before: 2_000, after: 2_201, isWorse: true },
  ])
  const text = writeComparison(compared, { commit: 'abc1234' })
  assert.match(
    text,
    /^Processor time per item, compared with commit abc1234:\nok +home +180 → 198 µs \(\+10 %\)\nworse +POST/,
  )
})

test('rows without processor time are not compared', () => {
  const rates = [{ name: 'sockets', samples: [{ p50: 1, failures: 0 }] }]
  assert.deepEqual(compareResults(rates, { earlier: rates }), [])
})
