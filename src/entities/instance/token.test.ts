import assert from 'node:assert/strict'
import { test } from 'node:test'
import { now } from '../../../test/http/entities/entity-samples.ts'
import { type EntityName, assertEntity, matchesEntity } from '../../../test/http/entities/entity-schemas.ts'
import type { CredentialApplication, Token } from './token.ts'

const token: Token = { access_token: 'abc', token_type: 'Bearer', scope: 'read write', created_at: 1_763_626_530 }

const application: CredentialApplication = {
  id: '25',
  name: 'App',
  website: null,
  scopes: ['read'],
  redirect_uris: ['urn:ietf:wg:oauth:2.0:oob'],
  redirect_uri: 'urn:ietf:wg:oauth:2.0:oob',
  vapid_key: 'BF',
  client_id: 'id',
  client_secret: 'secret',
  client_secret_expires_at: 0,
}

test('tokens and applications are valid', () => {
  assertEntity('Token', token)
  assertEntity('CredentialApplication', application)
})

const wrong: [why: string, EntityName, unknown][] = [
  ['another type', 'Token', { ...token, token_type: 'bearer' }],
  ['created_at as text', 'Token', { ...token, created_at: now }],
  ['expiry as text', 'CredentialApplication', { ...application, client_secret_expires_at: '0' }],
]

for (const [why, name, value] of wrong) {
  test(`${name} rejects ${why}`, () => assert.equal(matchesEntity(name, value), false))
}
