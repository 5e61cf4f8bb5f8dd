import { html, isolate } from '../../../lib/html.ts'
import type { SafeHtml } from '../../../lib/html.ts'
import type { FieldError } from '../../../lib/errors.ts'
import { csrfField, errorSummary, field, notice } from '../layout/form.ts'
import { icons } from '../layout/icons.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { paths } from '../paths.ts'
import { emailField, newPasswordField } from '../sign-up/template.ts'
import { textFor } from '../text.ts'
import type { Text } from '../text.ts'

export type SettingsInput = {
  /** The password has just been changed. */
  changed?: boolean
  /** Attributes `current_password`, `password`. */
  errors?: readonly FieldError[]
}

/** Changes the password, and leads to what else can be changed; posts to `paths.settings`. */
export function settingsPage(frame: Frame, { changed, errors }: SettingsInput): string {
  const text = textFor(frame.lang)
  const { account, currentPassword } = text.settings
  const labels = { current_password: currentPassword, password: account.newPassword }
  const choices = [
    { name: account.email, url: paths.email },
    { name: account.letters, url: paths.letters },
    { name: account.aliases, url: paths.aliases },
    { name: account.migration, url: paths.migration },
    { name: account.deletion, url: paths.deletion },
  ]
  const body = html`
    <h1>${account.title}</h1>
    ${changed && notice('good', account.changed)} ${errorSummary(text, { errors, labels })}
    <h2>${account.password}</h2>
    <form method="post" action="${paths.settings}">
      ${csrfField(frame.csrf)} ${currentPasswordField(text, { errors })}
      ${newPasswordField(text, { label: account.newPassword, errors })}
      <p class="hint">${account.passwordNote}</p>
      <p class="actions"><button class="button" type="submit">${account.changePassword}</button></p>
    </form>
    <h2>${account.more}</h2>
    <ul class="choices">
      ${choices.map(({ name, url }) => html`<li><a href="${url}">${name} ${icons.forward}</a></li>`)}
    </ul>
  `
  return page(frame, { title: account.title, body, shape: 'narrow' })
}

export type EmailInput = {
  /** The address that counts now. */
  present: string
  /** A letter may have been sent to another one. */
  sent?: boolean
  /** What was typed before. */
  value?: string
  /** Attributes `email`, `current_password`. */
  errors?: readonly FieldError[]
}

/** Changes the address; posts to `paths.email`. */
export function emailPage(frame: Frame, { present, sent, value, errors }: EmailInput): string {
  const text = textFor(frame.lang)
  const { email, currentPassword } = text.settings
  const labels = { email: email.label, current_password: currentPassword }
  const body = html`
    <h1>${email.title}</h1>
    <p class="lead">${email.present(html`<strong>${isolate(present)}</strong>`)}</p>
    ${sent && notice('good', email.sent)} ${errorSummary(text, { errors, labels })}
    <form method="post" action="${paths.email}">
      ${csrfField(frame.csrf)} ${emailField(text, { label: email.label, hint: email.hint, value, errors })}
      ${currentPasswordField(text, { errors })}
      <p class="actions"><button class="button" type="submit">${email.submit}</button></p>
    </form>
    ${backToSettings(text)}
  `
  return page(frame, { title: email.title, body, shape: 'narrow' })
}

/** Deletes the account; posts to `paths.deletion`. */
export function deletionPage(frame: Frame, { errors }: { errors?: readonly FieldError[] }): string {
  const text = textFor(frame.lang)
  const { deletion, currentPassword } = text.settings
  const body = html`
    <h1>${deletion.title}</h1>
    <p class="lead">${deletion.lead}</p>
    ${pointList(deletion.points)} ${errorSummary(text, { errors, labels: { current_password: currentPassword } })}
    <form method="post" action="${paths.deletion}">
      ${csrfField(frame.csrf)} ${currentPasswordField(text, { errors })}
      <p class="actions"><button class="button" type="submit">${deletion.submit}</button></p>
    </form>
    ${backToSettings(text)}
  `
  return page(frame, { title: deletion.title, body, shape: 'narrow' })
}

/** The last page that somebody sees. */
export function farewellPage(frame: Frame): string {
  const { deletion } = textFor(frame.lang).settings
  const body = html`
    <h1>${deletion.goneTitle}</h1>
    <p class="lead">${deletion.gone(isolate(frame.siteTitle))}</p>
  `
  return page(frame, { title: deletion.goneTitle, body, shape: 'narrow' })
}

/** The field `current_password`. */
export function currentPasswordField(text: Text, { errors }: { errors?: readonly FieldError[] | undefined }): SafeHtml {
  const { currentPassword: label, confirmHint: hint } = text.settings
  const autocomplete = 'current-password'
  return field(text, { name: 'current_password', label, type: 'password', hint, errors, autocomplete })
}

/** What somebody should know before they go on. */
export function pointList(points: readonly string[]): SafeHtml {
  return html`<ul class="points">
    ${points.map((point) => html`<li>${point}</li>`)}
  </ul>`
}

export function backToSettings(text: Text): SafeHtml {
  return html`<p class="aside"><a href="${paths.settings}">${text.settings.back}</a></p>`
}
