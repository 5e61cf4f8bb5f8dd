import assert from 'node:assert/strict'
import { test } from 'node:test'
import { extractReason } from './embedded-database-error.ts'

test('the reason of a failed start is its error, and not what it answered to connections before', () => {
  const output = `2026-11-28 14:30:24.677 UTC [9] LOG:  redo starts at 0/174B308
2026-11-28 14:30:24.811 UTC [12] FATAL:  the database system is not yet accepting connections
2026-11-28 14:30:24.811 UTC [12] DETAIL:  Consistent recovery state has not been yet reached.
2026-11-28 14:30:24.828 UTC [13] FATAL:  the database system is starting up
2026-11-28 14:30:24.885 UTC [9] FATAL:  could not write to file "pg_wal/xlogtemp.9": No space left on device
2026-11-28 14:30:24.893 UTC [6] LOG:  startup process (PID 9) exited with exit code 1
2026-11-28 14:30:24.906 UTC [6] LOG:  database system is shut down
`
  assert.equal(extractReason(output), 'could not write to file "pg_wal/xlogtemp.9": No space left on device')
})
