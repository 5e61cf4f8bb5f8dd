import assert from 'node:assert/strict'
import { test } from 'node:test'
import { problemsOf } from '../../../test/features/config-problems.ts'
import { readConfig } from './config.ts'

test('a database is configured by a URL, or by parts that are escaped and joined to a URL', () => {
  const url = 'postgresql://me:secret@db.example:5433/linnet?sslmode=verify-full'
  assert.equal(readConfig({ DATABASE_URL: url, DB_HOST: 'ignored' }).databaseUrl, url)
  const built = new URL(readConfig({ DB_HOST: 'db.example', DB_PASS: 'p@ss/w:rd?', DB_NAME: 'social' }).databaseUrl!)
  assert.deepEqual(
    [built.username, decodeURIComponent(built.password), built.host, built.pathname],
    ['linnet', 'p@ss/w:rd?', 'db.example:5432', '/social'],
  )
  const socket = new URL(readConfig({ DB_HOST: '/run/postgresql' }).databaseUrl!)
  assert.equal(socket.searchParams.get('host'), '/run/postgresql')
  for (const address of ['db.example', 'postgres:', 'postgresql://host:port/x', 'postgresql://[x/']) {
    assert.equal(problemsOf({ DATABASE_URL: address }).length, 1, address)
  }
  assert.deepEqual(problemsOf({ DB_NAME: 'social', DB_USER: 'me' }), [
    'DB_NAME is set without DB_HOST',
    'DB_USER is set without DB_HOST',
  ])
})

test('the host of a database is a name, an address or a folder, and nothing else is read as this machine', () => {
  const hostOf = (host: string) => new URL(readConfig({ DB_HOST: host }).databaseUrl!).host
  assert.deepEqual(['db', 'my_db.internal', '10.0.0.7', '::1', '[2001:db8::5]'].map(hostOf), [
    'db:5432',
    'my_db.internal:5432',
    '10.0.0.7:5432',
    '[::1]:5432',
    '[2001:db8::5]:5432',
  ])
  for (const host of ['db:5433', 'a/b', 'two words', 'http://db', 'user@db', 'postgresql://db/x']) {
    assert.match(problemsOf({ DB_HOST: host }).join('\n'), /^DB_HOST must be a host name, .* without a port, not ".*"$/)
  }
})

test('TLS to the database verifies the certificate unless that is disabled by name', () => {
  const modeOf = (env: Record<string, string>) => new URL(readConfig(env).databaseUrl!).searchParams.get('sslmode')
  for (const mode of ['prefer', 'require', 'verify-ca', 'verify-full'])
    assert.equal(modeOf({ DATABASE_URL: `postgresql://me@db/linnet?sslmode=${mode}&a=b` }), 'verify-full', mode)
  for (const mode of ['disable', 'no-verify'])
    assert.equal(modeOf({ DATABASE_URL: `postgresql://me@db/linnet?a=b&sslmode=${mode}` }), mode)
  const compatible = 'postgresql://me@db/linnet?uselibpqcompat=true&sslmode=require'
  assert.equal(readConfig({ DATABASE_URL: compatible, REPLICA_DATABASE_URL: compatible }).databaseUrl, compatible)
  assert.equal(
    readConfig({ DB_HOST: 'db', REPLICA_DATABASE_URL: 'postgresql://db2/x?sslmode=require' }).replicaDatabaseUrl,
    'postgresql://db2/x?sslmode=verify-full',
  )
  const partsMode = (mode: string) => modeOf({ DB_HOST: 'db', DB_SSLMODE: mode })
  assert.deepEqual(['', 'disable', 'prefer'].map(partsMode), [null, null, null])
  assert.deepEqual(['require', 'verify-full', 'no-verify'].map(partsMode), ['verify-full', 'verify-full', 'no-verify'])
  assert.match(problemsOf({ DB_HOST: 'db', DB_SSLMODE: 'on' })[0]!, /^DB_SSLMODE must be one of disable, allow, /)
  assert.deepEqual(problemsOf({ DB_SSLMODE: 'require' }), ['DB_SSLMODE is set without DB_HOST'])
})
