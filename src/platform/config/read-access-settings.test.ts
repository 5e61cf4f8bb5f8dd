import assert from 'node:assert/strict'
import { test } from 'node:test'
import { problemsOf } from '../../../test/features/config-problems.ts'
import { readConfig } from './config.ts'

test('limited federation, also by its earlier name, implies authorized fetch and disallows anonymous access', () => {
  const all = { disallowUnauthenticatedAccess: true, limitedFederation: true, authorizedFetch: true }
  for (const name of ['LIMITED_FEDERATION_MODE', 'WHITELIST_MODE']) {
    assert.deepEqual(readConfig({ [name]: 'true', AUTHORIZED_FETCH: 'false' }).access, all)
    assert.deepEqual(problemsOf({ [name]: 'maybe' }), [`${name} must be true or false, not "maybe"`])
  }
  assert.equal(readConfig({ LIMITED_FEDERATION_MODE: 'false', WHITELIST_MODE: 'true' }).access.limitedFederation, false)
  const none = readConfig({}).access
  assert.deepEqual(readConfig({ AUTHORIZED_FETCH: 'true' }).access, { ...none, authorizedFetch: true })
  assert.deepEqual(readConfig({ DISALLOW_UNAUTHENTICATED_API_ACCESS: 'true' }).access, {
    ...none,
    disallowUnauthenticatedAccess: true,
  })
})

test('lists of e-mail domains are canonical, and an item that is no domain is rejected', () => {
  const env = { EMAIL_DOMAIN_ALLOWLIST: ' Good.example | bücher.example|', EMAIL_DOMAIN_BLACKLIST: 'bad.example' }
  assert.deepEqual(readConfig({ ...env, EMAIL_DOMAIN_LISTS_APPLY_AFTER_CONFIRMATION: 'true' }).emailDomains, {
    allowed: ['good.example', 'xn--bcher-kva.example'],
    denied: ['bad.example'],
    applyAfterConfirmation: true,
  })
  assert.deepEqual(problemsOf({ EMAIL_DOMAIN_DENYLIST: 'a.example|b c' }), [
    'EMAIL_DOMAIN_DENYLIST must be a list of domains separated by "|"; "b c" is none',
  ])
})
