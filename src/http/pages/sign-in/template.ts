import { html, isolate } from '../../../lib/html.ts'
import { csrfField, field, hiddenFields, notice } from '../layout/form.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { paths } from '../paths.ts'
import { textFor } from '../text.ts'

export type SignInInput = {
  /** What was typed as e-mail address or username before. */
  login?: string
  /** Why the last attempt did not work. Unknown person and wrong password are the same answer. */
  problem?: 'failed' | 'throttled' | 'expired' | null
  /** Our own path to go on to, sent along as `next`. */
  next?: string | null
  /** The app that asked the person to sign in. */
  appName?: string | null
  /** Where a forgotten password is replaced. */
  resetUrl?: string | null
}

/** Fields `login` and `password`, posted to `paths.signIn`. */
export function signInPage(frame: Frame, { login, problem, next, appName, resetUrl }: SignInInput): string {
  const text = textFor(frame.lang)
  const { signIn } = text
  const body = html`
    <h1>${signIn.title}${appName && html` <span class="h1-rest">${signIn.toApp(isolate(appName))}</span>`}</h1>
    ${!appName && html`<p class="lead">${signIn.lead(isolate(frame.siteTitle))}</p>`}
    ${problem && notice('alert', signIn[problem])}
    <form method="post" action="${paths.signIn}">
      ${csrfField(frame.csrf)} ${hiddenFields({ next })}
      ${field(text, {
        name: 'login',
        label: signIn.login,
        value: login,
        autocomplete: 'username',
        more: { autocapitalize: 'none', spellcheck: 'false', dir: 'ltr', autofocus: !login },
      })}
      ${field(text, {
        name: 'password',
        label: signIn.password,
        type: 'password',
        autocomplete: 'current-password',
        more: { autofocus: Boolean(login) },
      })}
      <p class="actions"><button class="button" type="submit">${signIn.submit}</button></p>
    </form>
    ${resetUrl && html`<p class="aside"><a href="${resetUrl}">${signIn.forgot}</a></p>`}
    ${
      frame.registrations !== 'none' &&
      html`<p class="aside">${signIn.instead} <a href="${paths.signUp}">${signIn.signUp}</a></p>`
    }
  `
  return page(frame, { title: signIn.title, body, shape: 'narrow' })
}
