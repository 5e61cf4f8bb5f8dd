import type { FieldError } from '../../../src/lib/errors.ts'
import { confirmIdentityPage } from '../../../src/http/pages/confirm-identity/template.ts'
import type { Frame } from '../../../src/http/pages/layout/layout.ts'
import { secondFactorPage } from '../../../src/http/pages/second-factor/template.ts'
import { authenticatorAppPage } from '../../../src/http/pages/two-factor/authenticator-app-template.ts'
import { methodsPage, recoveryCodesPage } from '../../../src/http/pages/two-factor/methods-template.ts'
import { passkeysPage } from '../../../src/http/pages/two-factor/passkeys-template.ts'
import { HOSTILE, HOSTILE_URL, HOSTILE_WITHOUT_BIDI, now } from './hostile-page-text.ts'

const passkeyOptions = () => ({ challenge: HOSTILE })
const setup = { secret: Buffer.alloc(20, 7), sealed: HOSTILE }
const passkey = {
  id: '1',
  nickname: HOSTILE,
  credentialId: 'AA',
  transports: [],
  createdAt: new Date(now),
  lastUsedAt: new Date(now),
}

/** The pages of two-factor authentication, filled with hostile text. */
export function twoFactorPages({
  frame,
  inside,
  errors,
}: {
  frame: Frame
  inside: Frame
  errors: readonly FieldError[]
}): Record<string, string> {
  const factors = { totp: true, passkeys: 2, recoveryCodes: 7 }
  const none = { totp: false, passkeys: 0, recoveryCodes: 0 }
  return {
    'second factor': secondFactorPage(frame, { totp: true, passkeyOptions, next: HOSTILE_URL, errors }),
    'second factor, only a recovery code': secondFactorPage(frame, {
      totp: false,
      passkeyOptions: null,
      next: null,
      throttled: true,
    }),
    'confirm identity': confirmIdentityPage(inside, {
      methods: { password: true, totp: true, codes: true },
      passkeyOptions,
      next: HOSTILE_URL,
      errors,
    }),
    'confirm identity, no method': confirmIdentityPage(inside, {
      methods: { password: false, totp: false, codes: false },
      passkeyOptions: null,
      next: HOSTILE_URL,
      throttled: true,
    }),
    'two-factor methods': methodsPage(inside, { ...factors, required: false, done: 'totp-enabled' }),
    'two-factor methods, required': methodsPage(inside, { ...none, required: true }),
    'recovery codes': recoveryCodesPage(inside, { codes: [HOSTILE_WITHOUT_BIDI, 'abcd-efgh-ijkl-mnop'] }),
    'authenticator app': authenticatorAppPage(inside, { setup, email: HOSTILE, enabled: true, errors }),
    passkeys: passkeysPage(inside, {
      passkeys: [passkey, { ...passkey, id: '2', lastUsedAt: null }],
      options: passkeyOptions,
      done: 'added',
      value: HOSTILE,
      errors,
    }),
    'passkeys, none': passkeysPage(inside, { passkeys: [], options: passkeyOptions }),
  }
}
