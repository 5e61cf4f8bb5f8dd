import type { Locale } from '../../../src/lib/messages/locales.ts'
import type { FieldError } from '../../../src/lib/errors.ts'
import { captchaPage } from '../../../src/http/pages/confirmation/captcha-template.ts'
import { checkMailPage } from '../../../src/http/pages/confirmation/check-mail-template.ts'
import { confirmedPage } from '../../../src/http/pages/confirmation/confirmed-template.ts'
import { sharedPage, sharePage } from '../../../src/http/pages/share/template.ts'
import { consentDonePage } from '../../../src/http/pages/consent/done-template.ts'
import { consentPage } from '../../../src/http/pages/consent/template.ts'
import { mailListPage, mailPage } from '../../../src/http/pages/dev-mail/template.ts'
import { errorPage } from '../../../src/http/pages/error/template.ts'
import { forgottenPage, resetMailSentPage, newPasswordPage } from '../../../src/http/pages/password-reset/template.ts'
import { accountPages } from './account-page-samples.ts'
import { landingPage } from '../../../src/http/pages/landing/template.ts'
import {
  emailNotificationsPage,
  unsubscribedPage,
  unsubscribePage,
} from '../../../src/http/pages/email-notifications/template.ts'
import { aliasesPage, migrationPage } from '../../../src/http/pages/migration/template.ts'
import { nativeCodePage } from '../../../src/http/pages/consent/code-template.ts'
import { pendingPage } from '../../../src/http/pages/account/pending-template.ts'
import { deletionPage, emailPage, farewellPage, settingsPage } from '../../../src/http/pages/settings/template.ts'
import { setupPage } from '../../../src/http/pages/setup/template.ts'
import { chooseAccountPage } from '../../../src/http/pages/external-login/choose-account-template.ts'
import { externalLoginsPage } from '../../../src/http/pages/external-login/external-logins-template.ts'
import { signInPage } from '../../../src/http/pages/sign-in/template.ts'
import { restrictedPage } from '../../../src/http/pages/account/restricted-template.ts'
import { strikePage, strikesPage } from '../../../src/http/pages/strikes/template.ts'
import { invalidInvitePage, signUpPage } from '../../../src/http/pages/sign-up/template.ts'
import { signedInPage } from '../../../src/http/pages/account/template.ts'
import { framesIn, HOSTILE, HOSTILE_URL, now, viewer, post, HOSTILE_WITHOUT_BIDI } from './hostile-page-text.ts'
import { publicPages } from './public-page-samples.ts'
import { twoFactorPages } from './two-factor-page-samples.ts'

const errors: FieldError[] = [
  'username',
  'email',
  'password',
  'date_of_birth',
  'reason',
  'agreement',
  HOSTILE_WITHOUT_BIDI,
].map((attribute) => ({ attribute, code: HOSTILE_WITHOUT_BIDI, text: HOSTILE_WITHOUT_BIDI }))
const mail = {
  id: HOSTILE,
  to: HOSTILE,
  from: HOSTILE,
  subject: HOSTILE,
  at: now,
  text: `${HOSTILE} https://a.example/${HOSTILE}`,
}
const landing = {
  description: HOSTILE,
  counts: { users: 1, statuses: 2, activeMonth: 3 },
  contact: viewer,
  picture: { url: HOSTILE_URL, description: HOSTILE },
  url: HOSTILE_URL,
  preview: { url: HOSTILE_URL, description: HOSTILE },
  trending: [{ name: HOSTILE, url: HOSTILE_URL }],
  newest: [post, { ...post, id: '2', warning: '', sensitive: false, author: { name: ' ', handle: 'plain' } }],
  now,
}
const consent = {
  app: { name: HOSTILE, website: HOSTILE_URL },
  redirectUri: HOSTILE_URL,
  scopes: ['read', 'write', 'follow', 'push', 'admin:read', HOSTILE_WITHOUT_BIDI],
  account: viewer,
  parameters: { client_id: HOSTILE, state: HOSTILE, code_challenge: null, [HOSTILE]: HOSTILE },
  returnTo: HOSTILE_URL,
}
const signUp = {
  values: { username: HOSTILE, email: HOSTILE, reason: HOSTILE, date_of_birth: HOSTILE, agreement: true },
  errors,
  rules: [{ text: HOSTILE, hint: HOSTILE }],
  minimumAge: 16,
  privacyUrl: HOSTILE_URL,
  termsUrl: HOSTILE_URL,
}

const ownErrors: FieldError[] = [
  'acct',
  'email',
  'current_password',
  'password',
  'code',
  'username',
  HOSTILE_WITHOUT_BIDI,
].map((attribute) => ({
  attribute,
  code: HOSTILE_WITHOUT_BIDI,
  text: HOSTILE_WITHOUT_BIDI,
}))
const aliases = [
  { uri: HOSTILE_URL, account: viewer },
  { uri: HOSTILE, account: null },
]

const strike = {
  id: '1',
  action: 'delete_statuses',
  text: HOSTILE,
  statusIds: ['2', '3'],
  createdAt: now,
  overruled: false,
  appeal: null,
  appealDeadline: now,
} as const
const strikePost = { url: HOSTILE_URL, text: HOSTILE, warning: HOSTILE, media: 2, deleted: false, createdAt: now }

/** Renders every page in each of its variants, with hostile text wherever a user, app or server can provide text. */
export function samplePages(locale: Locale): Readonly<Record<string, string>> {
  const { frame, inside } = framesIn(locale)
  return {
    landing: landingPage(frame, landing),
    'landing, signed in': landingPage(inside, landing),
    'landing, closed and empty': landingPage(
      { ...frame, registrations: 'none' },
      { ...landing, description: '', newest: [] },
    ),
    'landing, on approval': landingPage({ ...frame, registrations: 'approved' }, landing),
    'sign-up': signUpPage(frame, signUp),
    'sign-up, on approval': signUpPage({ ...frame, registrations: 'approved' }, signUp),
    'sign-up, invited': signUpPage(
      { ...frame, registrations: 'none' },
      { ...signUp, invite: { code: HOSTILE, by: viewer } },
    ),
    'sign-up, invalid invite': invalidInvitePage(frame),
    'sign-up, invited, on approval': signUpPage(frame, {
      ...signUp,
      invite: { code: HOSTILE, by: viewer, needsApproval: true },
    }),
    'sign-up, closed': signUpPage({ ...frame, registrations: 'none' }, signUp),
    'check mail': checkMailPage(frame, { email: HOSTILE, resent: true, newEmail: HOSTILE, errors }),
    confirmed: confirmedPage(frame, { pending: false, app: { name: HOSTILE, url: HOSTILE_URL } }),
    'confirmed, pending': confirmedPage(frame, { pending: true }),
    'sign-in': signInPage(frame, {
      login: HOSTILE,
      problem: 'failed',
      passkeyOptions: () => ({ challenge: HOSTILE }),
      next: HOSTILE_URL,
      appName: HOSTILE,
      resetUrl: HOSTILE_URL,
    }),
    consent: consentPage(inside, consent),
    'consent denied, by form': consentDonePage(inside, {
      appName: HOSTILE,
      decision: 'deny',
      postTo: { address: HOSTILE_URL, fields: { [HOSTILE]: HOSTILE } },
    }),
    share: sharePage(inside, {
      text: HOSTILE,
      warning: HOSTILE,
      visibility: 'unlisted',
      key: HOSTILE,
      maxCharacters: 500,
      errors: [{ attribute: 'text', code: 'ERR_TOO_LONG', text: HOSTILE }],
    }),
    shared: sharedPage(inside),
    settings: settingsPage(inside, { canInvite: true, confirmed: true, changed: true, errors: ownErrors }),
    'settings, not confirmed': settingsPage(
      { ...inside, accountState: 'disabled' },
      { canInvite: false, confirmed: false },
    ),
    captcha: captchaPage(frame, { token: HOSTILE, siteKey: HOSTILE, problem: 'wrong' }),
    'captcha, unavailable': captchaPage(frame, { token: HOSTILE, siteKey: HOSTILE, problem: 'unavailable' }),
    'choose account': chooseAccountPage(frame, {
      state: HOSTILE,
      providerName: HOSTILE,
      verifiedEmail: null,
      values: { username: HOSTILE, email: HOSTILE, dateOfBirth: HOSTILE, agreement: false },
      minimumAge: 16,
      rules: [{ text: HOSTILE, hint: HOSTILE }],
      errors,
      canSignUp: true,
      login: HOSTILE,
      problem: 'email-taken',
    }),
    'external log-ins': externalLoginsPage(inside, {
      providers: [{ name: 'saml', displayName: HOSTILE }],
      identities: [{ provider: 'openid_connect', uid: HOSTILE, lastUsedAt: null }],
    }),
    'sign-in with a provider': signInPage(
      {
        ...frame,
        logins: {
          providers: [{ name: 'saml', displayName: HOSTILE }],
          areExternal: true,
          acceptsPasswords: false,
          signUpUrl: HOSTILE_URL,
        },
      },
      { next: HOSTILE, problem: 'external-refused' },
    ),
    'e-mail address': emailPage(inside, { currentEmail: HOSTILE, sent: true, value: HOSTILE, errors: ownErrors }),
    'email notifications': emailNotificationsPage(inside, {
      choice: { types: ['mention', 'reblog'], evenIfSeen: true },
      staffMails: [
        { kind: 'report', enabled: true },
        { kind: 'appeal', enabled: false },
      ],
      saved: true,
    }),
    unsubscribe: unsubscribePage(frame, { user: '1', kind: 'mention', token: HOSTILE }),
    unsubscribed: unsubscribedPage(frame),
    aliases: aliasesPage(inside, { aliases, done: 'added', value: HOSTILE, errors: ownErrors }),
    'aliases, none': aliasesPage(inside, { aliases: [] }),
    migration: migrationPage(inside, {
      movedTo: null,
      cooldownDays: 30,
      confirmed: true,
      done: 'cancelled',
      value: HOSTILE,
      errors: ownErrors,
    }),
    'migration, done': migrationPage(inside, {
      movedTo: viewer,
      cooldownDays: 30,
      confirmed: false,
      done: 'done',
    }),
    ...twoFactorPages({ frame, inside, errors: ownErrors }),
    deletion: deletionPage(inside, { errors: ownErrors }),
    farewell: farewellPage(frame, { wasPending: false }),
    'forgotten password': forgottenPage(frame, { value: HOSTILE, errors: ownErrors }),
    'reset mail sent': resetMailSentPage(frame),
    'new password': newPasswordPage(frame, { token: HOSTILE, errors: ownErrors }),
    'native code': nativeCodePage(inside, { code: HOSTILE_WITHOUT_BIDI, appName: HOSTILE }),
    setup: setupPage(frame, { token: HOSTILE, values: { username: HOSTILE, email: HOSTILE }, errors }),
    'mail list': mailListPage(inside, { mails: [mail], now }),
    mail: mailPage(inside, { mail, origin: 'https://a.example' }),
    ...publicPages(locale),
    ...accountPages(locale),
    'error 404': errorPage(frame, { status: 404, reference: HOSTILE_WITHOUT_BIDI }),
    'error 500': errorPage(inside, { status: 500 }),
    pending: pendingPage({ ...inside, accountState: 'pending' }, { email: HOSTILE, confirmed: false, reason: HOSTILE }),
    'account frozen': restrictedPage({ ...inside, accountState: 'disabled' }, { state: 'disabled' }),
    'account suspended': restrictedPage({ ...inside, accountState: 'suspended' }, { state: 'suspended' }),
    strikes: strikesPage(inside, { strikes: [strike], pages: { newer: '/newer', older: '/older' } }),
    'strikes, none': strikesPage(inside, { strikes: [], pages: { newer: null, older: null } }),
    strike: strikePage(inside, {
      strike,
      posts: [strikePost],
      canAppeal: true,
      maxAppealCharacters: 2_000,
      value: HOSTILE,
      errors: ownErrors,
    }),
    'strike, overruled': strikePage(inside, {
      strike: { ...strike, overruled: true, appeal: { text: HOSTILE, state: 'approved' } },
      posts: [{ ...strikePost, url: null, deleted: true }],
      canAppeal: false,
      maxAppealCharacters: 2_000,
    }),
    'strike, too old': strikePage(inside, { strike, posts: [], canAppeal: false, maxAppealCharacters: 2_000 }),
    'signed in': signedInPage(inside, {
      account: viewer,
      serverAddress: HOSTILE_WITHOUT_BIDI,
      unsentMails: 1,
    }),
  }
}
