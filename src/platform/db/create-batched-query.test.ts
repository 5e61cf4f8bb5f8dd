import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { cloneDatabase } from '../../../test/services/database/test-database.ts'
import { createDb, createPool } from './connection.ts'
import { createBatchedQuery } from './create-batched-query.ts'

const database = await cloneDatabase()
const pool = createPool(database.connection, { max: 2, onError: () => {} })
after(async () => {
  await pool.end()
  await database.drop()
})

test('concurrent calls share one statement, which answers calls with equal parameters once', async () => {
  const db = createDb(pool)
  const find = createBatchedQuery<{ word: string; count: number | null }>(
    { word: 'text', count: 'integer' },
    `concat(requested.word, requested.count, ' of row ', requested.ordinality, ' at ', statement_timestamp())`,
  )
  const answers = await Promise.all([
    find(db, { word: 'robin', count: 2 }),
    find(db, { word: 'linnet', count: null }),
    find(db, { word: 'robin', count: 2 }),
    find(db, { word: 'robin', count: 3 }),
  ])
  const rows = answers.map((answer) => answer.split(' at ')[0])
  assert.deepEqual(rows, ['robin2 of row 1', 'linnet of row 2', 'robin2 of row 1', 'robin3 of row 3'])
  assert.equal(new Set(answers.map((answer) => answer.split(' at ')[1])).size, 1)
})
