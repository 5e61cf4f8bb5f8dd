import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FieldError } from '../../../lib/errors.ts'
import { confirmIdentityPage } from '../confirm-identity/template.ts'
import type { Frame } from '../layout/layout.ts'
import type { PasskeyOptions } from '../support/passkey-options.ts'
import { secondFactorPage } from './template.ts'

const frame: Frame = {
  locale: 'en',
  siteTitle: 'Meadow',
  domain: 'meadow.example',
  version: '1',
  csrf: 'token',
  registrations: 'open',
}
const wrong = (attribute: string): FieldError => ({ attribute, code: 'ERR_WRONG', text: 'is wrong' })
const passkey: PasskeyOptions = () => ({})
const focusedOf = (page: string) => page.match(/ id="\w+"(?=[^>]* autofocus)/g)

test('the field for the second factor has the focus, unless the user has a passkey', () => {
  const show = (passkeyOptions: PasskeyOptions | null, errors: FieldError[] = []) =>
    focusedOf(secondFactorPage(frame, { totp: true, passkeyOptions, next: null, errors }))
  assert.deepEqual(show(null), [' id="code"'])
  assert.deepEqual(show(null, [wrong('code')]), [' id="code"'])
  assert.equal(show(passkey), null)
  assert.deepEqual(show(passkey, [wrong('code')]), [' id="code"'])
})

test('the field that was wrong has the focus when users confirm their identity again', () => {
  const show = (errors: FieldError[]) =>
    focusedOf(
      confirmIdentityPage(frame, {
        methods: { password: true, totp: true, codes: true },
        passkeyOptions: null,
        next: '/auth/edit',
        errors,
      }),
    )
  assert.deepEqual(show([]), [' id="current_password"'])
  assert.deepEqual(show([wrong('current_password')]), [' id="current_password"'])
  assert.deepEqual(show([wrong('code')]), [' id="code"'])
})
