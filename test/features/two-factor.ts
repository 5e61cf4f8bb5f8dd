import assert from 'node:assert/strict'
import { uniqueAddressHeaders } from '../http/browser.ts'
import type { Browser, PageResponse } from '../http/browser.ts'
import { SoftwareAuthenticator, passkeyOptionsOf } from '../services/login/software-authenticator.ts'
import { totpCode, totpStep } from '../../src/lib/totp.ts'

const APP = '/settings/otp_authentication'
const CONFIRMATION = '/settings/two_factor_authentication/confirmation'
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Returns the secret that the set-up page of an authenticator app shows as text. */
export function secretOf({ html }: { html: string }): Buffer {
  const shown = /<code class="address" dir="ltr" tabindex="0">([A-Z2-7 ]+)<\/code>/.exec(html)![1]!
  const bits = Array.from(shown.replaceAll(' ', ''), (letter) =>
    BASE32.indexOf(letter).toString(2).padStart(5, '0'),
  ).join('')
  return Buffer.from(bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2)))
}

/** Returns the recovery codes that a page shows. */
export function recoveryCodesOf({ html }: { html: string }): string[] {
  return [...html.matchAll(/<li><code>([a-z2-7-]{19})<\/code>/g)].map(([, code]) => code!)
}

/** Sets up an authenticator app in a browser that is logged in. Returns its codes by time, and the recovery codes. */
export async function setUpApp(
  browser: Browser,
  { now }: { now: () => Date },
): Promise<{ codeAt: (date: Date) => string; recoveryCodes: string[] }> {
  const page = await browser.get(APP)
  const secret = secretOf(page)
  const codeAt = (date: Date) => totpCode(secret, totpStep(date))
  const done = await browser.submit(page, CONFIRMATION, { code: codeAt(now()) })
  assert.equal(done.status, 200, done.text)
  return { codeAt, recoveryCodes: recoveryCodesOf(done) }
}

/** Adds a passkey in a browser that is logged in. */
export async function addPasskey(
  browser: Browser,
  { nickname = 'Phone', authenticator = new SoftwareAuthenticator() } = {},
): Promise<{ authenticator: SoftwareAuthenticator; page: PageResponse }> {
  const form = await browser.get('/settings/security_keys')
  const credential = authenticator.create(passkeyOptionsOf(form, '/settings/security_keys'))
  const page = await browser.submit(form, '/settings/security_keys', { nickname, credential })
  assert.equal(page.status, 200, page.text)
  return { authenticator, page }
}

/** Enters the password in a browser, and returns the response and the page of the second factor. */
export async function enterPassword(
  browser: Browser,
  { login, password }: { login: string; password: string },
): Promise<PageResponse> {
  const form = await browser.get('/auth/sign_in?force=1')
  const done = await browser.submit(form, '/auth/sign_in', { login, password }, uniqueAddressHeaders())
  assert.match(`${done.status} ${done.location}`, /^303 \/auth\/sign_in\/second_factor/)
  return browser.get(done.location!)
}
