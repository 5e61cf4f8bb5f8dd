import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ALL_SCOPES } from '../../../lib/http/scopes.ts'
import { consentDonePage } from './done-template.ts'
import { consentPage } from './template.ts'
import type { ConsentInput } from './template.ts'
import type { Frame } from '../layout/layout.ts'
import { findMessage, message } from '../../../lib/messages/message.ts'

const frame: Frame = {
  locale: 'en',
  siteTitle: 'Meadow',
  domain: 'meadow.example',
  version: '1',
  csrf: 'token',
  registrations: 'open',
}
const input: ConsentInput = {
  app: { name: 'Elk', website: 'https://elk.example/about' },
  redirectUri: 'https://elk.example/callback',
  scopes: ['read'],
  account: { name: 'Ada', handle: 'ada@meadow.example' },
  parameters: { client_id: 'c1', scope: 'read', state: undefined },
  returnTo: '/oauth/authorize?client_id=c1',
}
const consent = (overrides: Partial<ConsentInput> = {}) => consentPage(frame, { ...input, ...overrides })
const textOf = (scope: string) => findMessage('en', `scope.${scope}`) ?? '?'
const adminNote = message('en', 'consent.admin-note')

test('every scope that an app may request is explained in plain words', () => {
  for (const scope of ALL_SCOPES) assert.ok(findMessage('en', `scope.${scope}`), scope)
  const page = consent({ scopes: ['read:lists', 'write:media', 'follow', 'push', 'admin:read:reports'] })
  for (const scope of ['read:lists', 'write:media', 'follow', 'push', 'admin:read:reports']) {
    assert.ok(page.includes(textOf(scope)), scope)
  }
  for (const group of ['read', 'write', 'follow', 'push', 'admin'] as const) {
    assert.ok(page.includes(`<h3>${message('en', `consent.groups.${group}`)}</h3>`), group)
  }
  assert.ok(page.includes(adminNote))
})

test('a scope that another one covers is not listed, and one that none covers is', () => {
  const page = consent({
    scopes: ['profile', 'read', 'read:lists', 'write:mutes', 'follow', 'write:media', 'other:thing'],
  })
  assert.ok(page.includes(textOf('read')))
  for (const covered of ['profile', 'read:lists', 'write:mutes']) assert.ok(!page.includes(textOf(covered)), covered)
  assert.ok(page.includes(textOf('write:media')))
  assert.ok(page.includes('<code>other:thing</code>'))
  assert.ok(!page.includes(adminNote))
})

test('the decision has two buttons, which send the parameters of the request (OA7)', () => {
  const page = consent()
  assert.match(page, /<form method="post" action="\/oauth\/authorize">/)
  assert.match(page, /<input type="hidden" name="client_id" value="c1" \/>/)
  assert.doesNotMatch(page, /name="state"/)
  assert.match(page, /name="decision" value="allow"/)
  assert.match(page, /name="decision" value="deny"/)
  assert.match(page, /<input type="hidden" name="next" value="\/oauth\/authorize\?client_id=c1" \/>/)
})

test('the page shows the host that will get the response (OA7, HT8)', () => {
  assert.match(consent(), /the website <strong><bdi>elk\.example<\/bdi>/)
  assert.match(consent({ redirectUri: 'https://bank.example@evil.example/' }), /<bdi>evil\.example<\/bdi>/)
  assert.match(consent({ redirectUri: 'https://еlk.example/' }), /<bdi>xn--lk-mlc\.example<\/bdi>/)
  assert.match(
    consent({ redirectUri: 'http://127.0.0.1:8080/' }),
    /a program on this device \(<strong><bdi>127\.0\.0\.1:8080</,
  )
  assert.match(consent({ redirectUri: 'tusky://done' }), /an app on this device \(<bdi>tusky:<\/bdi>\)/)
  assert.match(consent({ redirectUri: 'urn:ietf:wg:oauth:2.0:oob' }), /a page with a code/)
  assert.match(consent({ app: { name: 'Elk', website: 'javascript:1' } }), /not given/)
})

test('a form_post response is sent by a button and not automatically', () => {
  const fields = { code: 'a', state: 'b' }
  const page = consentDonePage(frame, {
    appName: 'Elk',
    decision: 'allow',
    postTo: { address: 'https://elk.example/', fields },
  })
  assert.match(
    page,
    /<form method="post" action="https:\/\/elk\.example\/">\s*<input type="hidden" name="code" value="a" \/>/,
  )
  assert.doesNotMatch(page, /name="csrf"/)
})
