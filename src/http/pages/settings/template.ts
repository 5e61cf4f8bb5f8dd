import { html, isolateDirection } from '../../../lib/html/html.ts'
import type { SafeHtml } from '../../../lib/html/html.ts'
import type { FieldError } from '../../../lib/errors.ts'
import { formatsFor } from '../layout/formats.ts'
import { csrfField, errorSummary, field, notice, selectField } from '../layout/form.ts'
import { icons } from '../layout/icons.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { confirmIdentityLink } from '../confirm-identity/template.ts'
import { paths } from '../paths.ts'
import { emailField, newPasswordField } from '../sign-up/template.ts'
import { markup, message } from '../../../lib/messages/message.ts'
import { LOCALES } from '../../../lib/messages/locales.ts'
import { mayOpen } from './page-states.ts'
import type { OwnPage } from './page-states.ts'

export type SettingsInput = {
  canInvite: boolean
  /** The user has proved their identity recently, so the password can be changed. */
  confirmed: boolean
  /** The password has just been changed. */
  changed?: boolean
  /** Attribute `password`. */
  errors?: readonly FieldError[]
  /** Where users without passwords change the account at their provider. */
  providerUrl?: string | null
}

/** Account settings: posts the password to `paths.settings` and the language, `locale`, to `paths.language`. */
export function settingsPage(
  frame: Frame,
  { canInvite, confirmed, changed, errors, providerUrl }: SettingsInput,
): string {
  const { locale } = frame
  const acceptsPasswords = frame.logins?.acceptsPasswords ?? true
  const labels = { password: message(locale, 'settings.new-password') }
  const choices: { name: string; url: OwnPage }[] = [
    ...(acceptsPasswords ? [{ name: message(locale, 'settings.email'), url: paths.email }] : []),
    ...(frame.logins?.areExternal
      ? [{ name: message(locale, 'settings.external-logins'), url: paths.externalLogins }]
      : []),
    { name: message(locale, 'two-factor.title'), url: paths.twoFactor },
    { name: message(locale, 'settings.email-notifications'), url: paths.emailNotifications },
    { name: message(locale, 'preferences.title'), url: paths.preferences },
    { name: message(locale, 'statuses-cleanup.title'), url: paths.statusesCleanup },
    { name: message(locale, 'filters.title'), url: paths.filters },
    { name: message(locale, 'sessions.title'), url: paths.sessions },
    { name: message(locale, 'authorized-applications.title'), url: paths.authorizedApplications },
    { name: message(locale, 'own-applications.title'), url: paths.ownApplications },
    ...(canInvite ? [{ name: message(locale, 'settings.invites'), url: paths.invites }] : []),
    { name: message(locale, 'settings.aliases'), url: paths.aliases },
    { name: message(locale, 'settings.migration'), url: paths.migration },
    { name: message(locale, 'settings.strikes'), url: paths.strikes },
    { name: message(locale, 'settings.export'), url: paths.export },
    { name: message(locale, 'settings.import'), url: paths.imports },
    { name: message(locale, 'severed-relationships.title'), url: paths.severedRelationships },
    { name: message(locale, 'settings.deletion'), url: paths.deletion },
  ]
  const passwordForm = html`
    <h2>${message(locale, 'settings.password')}</h2>
    ${
      confirmed
        ? html`<form method="post" action="${paths.settings}">
            ${csrfField(frame.csrf)} ${newPasswordField(locale, { label: labels.password, errors })}
            <p class="hint">${message(locale, 'settings.password-note')}</p>
            <p class="actions">
              <button class="button" type="submit">${message(locale, 'settings.change-password')}</button>
            </p>
          </form>`
        : confirmIdentityLink(frame, { next: paths.settings })
    }
  `
  // The page of their account says why, and what the moderators decided.
  const isRestricted = frame.accountState === 'pending' || frame.accountState === 'disabled'
  const providerLink =
    providerUrl && html`<p><a href="${providerUrl}">${message(locale, 'settings.at-provider')}</a></p>`
  const body = html`
    <h1>${message(locale, 'settings.title')}</h1>
    ${changed && notice('good', message(locale, 'settings.changed'))} ${errorSummary(locale, { errors, labels })}
    ${acceptsPasswords ? passwordForm : providerLink}
    <h2>${message(locale, 'settings.language')}</h2>
    <form method="post" action="${paths.language}">
      ${csrfField(frame.csrf)}
      ${selectField({
        name: 'locale',
        label: message(locale, 'settings.language-label'),
        value: locale,
        options: LOCALES.map((one) => [one, formatsFor(one).languages.of(one) ?? one] as const),
      })}
      <p class="actions">
        <button class="button" type="submit">${message(locale, 'settings.language-submit')}</button>
      </p>
    </form>
    <h2>${message(locale, 'settings.more')}</h2>
    <ul class="choices">
      ${choices
        .filter(({ url }) => mayOpen(frame, url))
        .map(({ name, url }) => html`<li><a href="${url}">${name} ${icons.forward}</a></li>`)}
    </ul>
    ${isRestricted && html`<p class="aside"><a href="${paths.account}">${message(locale, 'account.title')}</a></p>`}
  `
  return page(frame, { title: message(locale, 'settings.title'), body, shape: 'narrow' })
}

export type EmailInput = {
  /** The confirmed address of the user. */
  currentEmail: string
  /** The user has requested a change: a mail was sent to the new address if no other user has it. */
  sent?: boolean
  /** What the user entered before. */
  value?: string
  /** Attribute `email`. */
  errors?: readonly FieldError[]
}

/** Changes the e-mail address; posts to `paths.email`. */
export function emailPage(frame: Frame, { currentEmail, sent, value, errors }: EmailInput): string {
  const { locale } = frame
  const labels = { email: message(locale, 'change-email.label') }
  const body = html`
    <h1>${message(locale, 'change-email.title')}</h1>
    <p class="lead">
      ${markup(locale, 'change-email.present', { address: html`<strong>${isolateDirection(currentEmail)}</strong>` })}
    </p>
    ${sent && notice('good', message(locale, 'change-email.sent'))} ${errorSummary(locale, { errors, labels })}
    <form method="post" action="${paths.email}">
      ${csrfField(frame.csrf)}
      ${emailField(locale, { label: message(locale, 'change-email.label'), hint: message(locale, 'change-email.hint'), value, errors })}
      <p class="actions"><button class="button" type="submit">${message(locale, 'change-email.submit')}</button></p>
    </form>
    ${backToSettings(frame)}
  `
  return page(frame, { title: message(locale, 'change-email.title'), body, shape: 'narrow' })
}

/**
 * Deletes the account; posts `username` to `paths.deletion`. A pending account has never been visible to other servers,
 * so none of them has to delete anything, and its username becomes free.
 */
export function deletionPage(frame: Frame, { errors }: { errors?: readonly FieldError[] }): string {
  const { locale } = frame
  const isPending = frame.accountState === 'pending'
  const label = message(locale, 'deletion.username')
  const body = html`
    <h1>${message(locale, 'deletion.title')}</h1>
    <p class="lead">${message(locale, isPending ? 'deletion.lead-pending' : 'deletion.lead')}</p>
    ${pointList([
      message(locale, 'deletion.point-undo'),
      ...(isPending ? [] : [message(locale, 'deletion.point-name'), message(locale, 'deletion.point-copies')]),
    ])}
    ${errorSummary(locale, { errors, labels: { username: label } })}
    <form method="post" action="${paths.deletion}">
      ${csrfField(frame.csrf)}
      ${field(locale, {
        name: 'username',
        label,
        hint: message(locale, 'deletion.username-hint'),
        errors,
        autocomplete: 'off',
        more: { autocapitalize: 'none', spellcheck: 'false', dir: 'ltr' },
      })}
      <p class="actions"><button class="button" type="submit">${message(locale, 'deletion.submit')}</button></p>
    </form>
    ${backToSettings(frame)}
  `
  return page(frame, { title: message(locale, 'deletion.title'), body, shape: 'narrow' })
}

/** The page after the deletion of the account. `wasPending`: it was waiting for approval. */
export function farewellPage(frame: Frame, { wasPending }: { wasPending: boolean }): string {
  const { locale } = frame
  const id = wasPending ? 'deletion.gone-pending' : 'deletion.gone'
  const body = html`
    <h1>${message(locale, 'deletion.gone-title')}</h1>
    <p class="lead">${markup(locale, id, { site: isolateDirection(frame.siteTitle) })}</p>
  `
  return page(frame, { title: message(locale, 'deletion.gone-title'), body, shape: 'narrow' })
}

/** A list of what the user should know before they continue. */
export function pointList(points: readonly string[]): SafeHtml {
  return html`<ul class="points">
    ${points.map((point) => html`<li>${point}</li>`)}
  </ul>`
}

/** A link to the settings, or to the page of the account for users who cannot open these. */
export function backToSettings(frame: Frame): SafeHtml {
  const { locale } = frame
  return html`<p class="aside">
    ${
      mayOpen(frame, paths.settings)
        ? html`<a href="${paths.settings}">${message(locale, 'settings.back')}</a>`
        : html`<a href="${paths.account}">${message(locale, 'account.title')}</a>`
    }
  </p>`
}
