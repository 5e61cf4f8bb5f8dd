import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkMailPage } from '../confirmation/check-mail-template.ts'
import type { Frame } from '../layout/layout.ts'
import { setupPage } from '../setup/template.ts'
import { signInPage } from '../sign-in/template.ts'
import { signUpPage } from './template.ts'
import type { FieldError } from '../../../lib/errors.ts'
import { message } from '../../../lib/messages/message.ts'

const frame: Frame = {
  locale: 'en',
  siteTitle: 'Meadow',
  domain: 'meadow.example',
  version: '1',
  csrf: 'token',
  registrations: 'open',
}
const approved: Frame = { ...frame, registrations: 'approved' }
const closed: Frame = { ...frame, registrations: 'none' }
const taken = { attribute: 'username', code: 'ERR_TAKEN', text: 'has already been taken' }

test('after an error, the form keeps the input except the password', () => {
  const page = signUpPage(frame, {
    values: { username: 'ada', email: 'ada@a.example', agreement: true },
    errors: [taken],
    rules: [],
  })
  assert.match(page, /id="username"[^>]* value="ada"/)
  assert.match(page, /id="email"[^>]* value="ada@a\.example"/)
  assert.match(page, /id="agreement"[^>]* checked/)
  assert.doesNotMatch(page.match(/<input[^>]*id="password"[^>]*>/)?.[0] ?? 'value=', /value=/)
})

test('an error is announced above the form, links to its field, and is repeated there', () => {
  const page = signUpPage(frame, { errors: [taken], rules: [] })
  assert.match(page, /role="alert"[\s\S]*<a href="#username">Username<\/a>/)
  assert.match(page, /id="username"[^>]*aria-describedby="username-hint username-error"[^>]*aria-invalid="true"/)
  assert.ok(page.includes(`id="username-error">${message('en', 'problem.ERR_TAKEN')}</p>`))
  assert.equal(page.match(/aria-invalid/g)?.length, 1)
})

test('the field of the first error has the focus', () => {
  const agreement = { attribute: 'agreement', code: 'ERR_ACCEPTED', text: 'must be accepted' }
  const focused = (errors: readonly FieldError[]) =>
    signUpPage(frame, { errors, rules: [] }).match(/ id="\w+"(?=[^>]* autofocus)/g)
  assert.deepEqual(focused([taken, agreement]), [' id="username"'])
  assert.deepEqual(focused([agreement]), [' id="agreement"'])
  assert.equal(focused([]), null)
})

test('an error without a catalogue text or a field is shown, too', () => {
  const errors = [{ attribute: 'locale', code: 'ERR_ODD', text: 'is odd' }]
  assert.match(signUpPage(frame, { errors, rules: [] }), /<li>is odd<\/li>/)
})

test('a reason is requested only if sign-ups need approval', () => {
  assert.doesNotMatch(signUpPage(frame, { rules: [] }), /name="reason"/)
  assert.match(signUpPage(approved, { rules: [], reasonRequired: true }), /name="reason" required/)
  assert.match(signUpPage(approved, { rules: [] }), /name="reason" aria/)
  assert.doesNotMatch(signUpPage(approved, { rules: [], invite: { code: 'x' } }), /name="reason"/)
})

test('closed registrations show no form, unless there is an invitation', () => {
  assert.doesNotMatch(signUpPage(closed, { rules: [] }), /<form/)
  const page = signUpPage(closed, { rules: [], invite: { code: 'abc' } })
  assert.match(page, /<form method="post" action="\/auth">/)
  assert.match(page, /name="invite_code" value="abc"/)
})

test('the date of birth is requested only with a minimum age', () => {
  assert.doesNotMatch(signUpPage(frame, { rules: [] }), /date_of_birth/)
  assert.match(signUpPage(frame, { rules: [], minimumAge: 16 }), /type="date"[^>]*name="date_of_birth" required/)
})

test('the form for another address is open if the address was rejected', () => {
  const email = 'ada@a.example'
  assert.doesNotMatch(checkMailPage(frame, { email }), /<details[^>]* open/)
  const errors = [{ attribute: 'email', code: 'ERR_BLOCKED', text: 'is not allowed' }]
  const page = checkMailPage(frame, { email, newEmail: 'b@b.example', errors })
  assert.match(page, /<details[^>]* open>/)
  assert.match(page, /value="b@b\.example"/)
  assert.equal(page.match(/action="\/auth\/confirmation"/g)?.length, 2)
})

test('a failed log-in keeps the login, shows the same text for every cause, and keeps the redirect (AC1)', () => {
  const page = signInPage(frame, { login: 'ada', problem: 'failed', next: '/oauth/authorize?a=1' })
  assert.match(page, /name="login"[^>]* value="ada"/)
  assert.ok(page.includes(message('en', 'sign-in.failed')))
  assert.match(page, /name="next" value="\/oauth\/authorize\?a=1"/)
  assert.doesNotMatch(signInPage(frame, {}), /role="alert"|name="next"/)
})

test('the setup form contains the token of the link', () => {
  const page = setupPage(frame, { token: 's3cret' })
  assert.match(page, /<form method="post" action="\/setup">/)
  assert.match(page, /name="token" value="s3cret"/)
})
