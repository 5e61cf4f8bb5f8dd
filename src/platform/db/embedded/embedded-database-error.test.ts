import assert from 'node:assert/strict'
import { test } from 'node:test'
import { explainInitdbFailure } from './create-cluster.ts'
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

test('a user id without a name, with which containers may run, is the reason why the database cannot be created', () => {
  const explain = (output: string) => explainInitdbFailure(output, { folder: '/srv/data/postgres' })
  assert.match(
    explain('initdb: error: initdb: could not look up effective user ID 23456: user does not exist'),
    /the user id 23456 has no name on this system: add it to \/etc\/passwd, or set DATABASE_URL/,
  )
  assert.match(
    explain('initdb: error: could not create directory "/srv/data/postgres/x": No space left on device'),
    /in \/srv\/data\/postgres \(initdb: could not create directory .*: No space left on device\): choose another/,
  )
})
