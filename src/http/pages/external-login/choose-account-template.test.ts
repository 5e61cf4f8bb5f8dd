import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseAccountPage } from './choose-account-template.ts'
import type { ChooseAccountInput } from './choose-account-template.ts'

const frame = {
  locale: 'en',
  siteTitle: 'Meadow',
  domain: 'meadow.example',
  version: '1',
  csrf: 'token',
  registrations: 'open',
} as const

/** Returns the fields that have the focus when the page opens. */
function focusedOf(input: Partial<ChooseAccountInput>): string[] {
  const page = chooseAccountPage(frame, {
    state: 'state',
    providerName: 'Campus',
    verifiedEmail: 'ada@mail.test',
    values: { username: 'ada', email: '', dateOfBirth: '', agreement: true },
    canSignUp: true,
    rules: [],
    ...input,
  })
  return [...page.matchAll(/ id="(\w+)"(?=[^>]* autofocus)/g)].map(([, id]) => id!)
}

test('the form with a problem has the focus, since the second one is below the window of a phone', () => {
  assert.deepEqual(focusedOf({}), [])
  assert.deepEqual(focusedOf({ problem: 'email-taken' }), ['login'])
  assert.deepEqual(focusedOf({ problem: 'failed', login: 'ada' }), ['password'])
  const errors = [{ attribute: 'username', code: 'ERR_TAKEN', text: 'has already been taken' }]
  assert.deepEqual(focusedOf({ errors }), ['username'])
  assert.deepEqual(focusedOf({ errors, problem: 'email-taken' }), ['username'])
})
