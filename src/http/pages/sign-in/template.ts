import { html, isolateDirection } from '../../../lib/html/html.ts'
import type { SafeHtml } from '../../../lib/html/html.ts'
import { csrfField, field, hiddenFields, notice } from '../layout/form.ts'
import { page, signUpUrlOf } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { passkeyForm } from '../layout/passkey-form.ts'
import { paths } from '../paths.ts'
import type { PasskeyOptions } from '../support/passkey-options.ts'
import { markup, message } from '../../../lib/messages/message.ts'

export type SignInInput = {
  /** The e-mail address or username that the user entered before. */
  login?: string
  /** Why the last attempt failed. An unknown user and a wrong password get the same message. */
  problem?:
    | 'failed'
    | 'disabled'
    | 'throttled'
    | 'expired'
    | 'passkey'
    | 'owner-exists'
    | 'external-refused'
    | 'external-unreachable'
    | 'external-expired'
    | null
  /** The path of this server to which the log-in redirects, sent as `next`. */
  next?: string | null
  /** The name of the app that requests authorization. */
  appName?: string | null
  /** Absent: the page offers no passkeys. */
  passkeyOptions?: PasskeyOptions | null
  /** The page to reset a forgotten password. */
  resetUrl?: string | null
}

/** The log-in form; posts `login` and `password` to `paths.signIn`, or `credential` to `paths.passkeySignIn`. */
export function signInPage(
  frame: Frame,
  { login, problem, next, appName, passkeyOptions, resetUrl }: SignInInput,
): string {
  const { locale } = frame
  const { providers, acceptsPasswords } = frame.logins ?? { providers: [], acceptsPasswords: true }
  const signUpUrl = signUpUrlOf(frame)
  const passwordForm = html`
    <form method="post" action="${paths.signIn}">
      ${csrfField(frame.csrf)} ${hiddenFields({ next })}
      ${field(locale, {
        name: 'login',
        label: message(locale, 'sign-in.login'),
        value: login,
        autocomplete: 'username webauthn',
        more: { autocapitalize: 'none', spellcheck: 'false', dir: 'ltr', autofocus: !login },
      })}
      ${field(locale, {
        name: 'password',
        label: message(locale, 'sign-in.password'),
        type: 'password',
        autocomplete: 'current-password',
        more: { autofocus: Boolean(login) },
      })}
      <p class="actions"><button class="button" type="submit">${message(locale, 'sign-in.submit')}</button></p>
    </form>
  `
  const body = html`
    <h1>
      ${message(locale, 'sign-in.title')}${appName && html` <span class="h1-rest">${markup(locale, 'sign-in.to-app', { app: isolateDirection(appName) })}</span>`}
    </h1>
    ${!appName && html`<p class="lead">${markup(locale, 'sign-in.lead', { site: isolateDirection(frame.siteTitle) })}</p>`}
    ${problem && notice('alert', message(locale, `sign-in.${problem}`))} ${acceptsPasswords && passwordForm}
    ${!acceptsPasswords && providers.length === 0 && notice('alert', message(locale, 'sign-in.no-provider'))}
    ${
      passkeyOptions &&
      passkeyForm(frame, {
        action: paths.passkeySignIn,
        options: passkeyOptions,
        label: message(locale, 'sign-in.with-passkey'),
        next,
        plain: true,
        autofill: true,
      })
    }
    ${providers.length > 0 && providerButtons(frame, { providers, next })}
    ${acceptsPasswords && resetUrl && html`<p class="aside"><a href="${resetUrl}">${message(locale, 'sign-in.forgot')}</a></p>`}
    ${
      signUpUrl &&
      html`<p class="aside">
        ${markup(locale, 'sign-in.instead', { link: (words) => html`<a href="${signUpUrl}">${words}</a>` })}
      </p>`
    }
  `
  return page(frame, { title: message(locale, 'sign-in.title'), body, shape: 'narrow' })
}

/** A button for each external provider, which posts to the path of the provider. */
function providerButtons(
  frame: Frame,
  { providers, next }: { providers: NonNullable<Frame['logins']>['providers']; next: string | null | undefined },
): SafeHtml {
  const { locale } = frame
  return html`<div class="button-list">
    ${providers.map(
      ({ name, displayName }) =>
        html`<form method="post" action="${paths.externalLogin}${name}">
          ${csrfField(frame.csrf)} ${hiddenFields({ next })}
          <button class="button button-line" type="submit">
            <span>${markup(locale, 'sign-in.with', { provider: isolateDirection(displayName) })}</span>
          </button>
        </form>`,
    )}
  </div>`
}
