import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EnvironmentReader } from './environment-reader.ts'
import { readRedisUrl } from './read-valkey-settings.ts'

function problemsOf(url: string): string[] {
  const reader = new EnvironmentReader({ REDIS_URL: url })
  readRedisUrl(reader)
  return reader.problems
}

test('the address of Valkey ends in the number of a database', () => {
  for (const end of ['', '/', '/0', '/15', '?db=3']) assert.deepEqual(problemsOf(`redis://cache${end}`), [])
  for (const end of ['/cache', '/-1', '/1/2', '/0x2', '?db=cache']) {
    const [problem, ...others] = problemsOf(`redis://:hunter2@cache${end}`)
    assert.match(problem!, /^REDIS_URL must end in the number of a database, such as \S+$/)
    assert.doesNotMatch(problem!, /hunter2/)
    assert.deepEqual(others, [])
  }
})
