import { html, isolateDirection } from '../../../lib/html/html.ts'
import type { SafeHtml } from '../../../lib/html/html.ts'
import type { FieldError } from '../../../lib/errors.ts'
import { csrfField, errorSummary, field, hiddenFields, notice } from '../layout/form.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { paths } from '../paths.ts'
import { identity } from '../layout/page-account.ts'
import type { PageAccount } from '../layout/page-account.ts'
import { confirmIdentityLink } from '../confirm-identity/template.ts'
import { backToSettings, pointList } from '../settings/template.ts'
import { markup, message } from '../../../lib/messages/message.ts'
import type { Locale } from '../../../lib/messages/locales.ts'

export type AliasesInput = {
  /** The URIs of the aliased accounts, with the accounts; null if this server does not know the account any more. */
  aliases: readonly { uri: string; account: PageAccount | null }[]
  /** The action that has just been completed. */
  done?: 'added' | 'removed'
  /** What the user entered before. */
  value?: string
  /** Attribute `acct`. */
  errors?: readonly FieldError[]
}

/** The settings of account aliases; posts to `paths.aliases` and, with `uri`, to `paths.removeAlias`. */
export function aliasesPage(frame: Frame, { aliases, done, value, errors }: AliasesInput): string {
  const { locale } = frame
  const label = message(locale, 'aliases.label')
  const body = html`
    <h1>${message(locale, 'aliases.title')}</h1>
    <p class="lead">${message(locale, 'aliases.lead')}</p>
    ${done && notice('good', message(locale, `aliases.${done}`))}
    ${errorSummary(locale, { errors, labels: { acct: label } })}
    <form method="post" action="${paths.aliases}">
      ${csrfField(frame.csrf)} ${accountField(locale, { label, hint: message(locale, 'aliases.hint'), value, errors })}
      <p class="actions"><button class="button" type="submit">${message(locale, 'aliases.add')}</button></p>
    </form>
    <h2>${message(locale, 'aliases.listed')}</h2>
    ${
      aliases.length === 0
        ? html`<p class="quiet">${message(locale, 'aliases.none')}</p>`
        : html`<ul class="removable">
            ${aliases.map(
              ({ uri, account }) =>
                html`<li>
                  ${account ? identity(account) : html`<span>${isolateDirection(uri)}</span>`}
                  <form method="post" action="${paths.removeAlias}">
                    ${csrfField(frame.csrf)} ${hiddenFields({ uri })}
                    <button class="button button-text" type="submit">
                      ${markup(locale, 'aliases.remove', {
                        account: isolateDirection(account?.handle ?? uri),
                        unseen: (text) => html`<span class="unseen">${text}</span>`,
                      })}
                    </button>
                  </form>
                </li>`,
            )}
          </ul>`
    }
    ${backToSettings(frame)}
  `
  return page(frame, { title: message(locale, 'aliases.title'), body, shape: 'narrow' })
}

export type MigrationInput = {
  /** The account to which this one has moved; null if it has not moved. */
  movedTo: PageAccount | null
  /** After a migration, the user can migrate again after so many days. */
  cooldownDays: number
  /** The user has proved their identity recently, so the account can be moved. */
  confirmed: boolean
  /** The action that has just been completed. */
  done?: 'done' | 'cancelled'
  /** What the user entered before. */
  value?: string
  /** Attribute `acct`. */
  errors?: readonly FieldError[]
}

/**
 * Account migration, which moves the followers to another account; posts to `paths.migration` and `paths.cancelMove`.
 */
export function migrationPage(
  frame: Frame,
  { movedTo, cooldownDays, confirmed, done, value, errors }: MigrationInput,
): string {
  const { locale } = frame
  const title = message(locale, movedTo ? 'migration.moved' : 'migration.title')
  const points = [
    message(locale, 'migration.point-alias'),
    message(locale, 'migration.point-unusable'),
    message(locale, 'migration.point-undo'),
    message(locale, 'migration.every', { days: cooldownDays }),
  ]
  const labels = { acct: message(locale, 'migration.label') }
  const body = html`
    <h1>${title}</h1>
    ${done && notice('good', message(locale, `migration.${done}`))}
    ${movedTo ? redirection(frame, movedTo) : html`<p class="lead">${message(locale, 'migration.lead')}</p>`}
    ${movedTo ? html`<h2>${message(locale, 'migration.again')}</h2>` : pointList(points)}
    ${errorSummary(locale, { errors, labels })}
    ${
      confirmed
        ? html`<form method="post" action="${paths.migration}">
            ${csrfField(frame.csrf)}
            ${accountField(locale, { label: labels.acct, hint: message(locale, 'migration.hint'), value, errors })}
            <p class="actions">
              <button class="button ${movedTo && 'button-line'}" type="submit">
                ${message(locale, 'migration.submit')}
              </button>
            </p>
          </form>`
        : confirmIdentityLink(frame, { next: paths.migration })
    }
    ${backToSettings(frame)}
  `
  return page(frame, { title, body, shape: 'narrow' })
}

function redirection(frame: Frame, movedTo: PageAccount): SafeHtml {
  const { locale } = frame
  return html`<p class="lead">${message(locale, 'migration.moved-to')}</p>
    ${identity(movedTo)}
    <form method="post" action="${paths.cancelMove}">
      ${csrfField(frame.csrf)}
      <p class="hint">${message(locale, 'migration.cancel-note')}</p>
      <p class="actions"><button class="button" type="submit">${message(locale, 'migration.cancel')}</button></p>
    </form>`
}

/** The field `acct`. */
function accountField(
  locale: Locale,
  {
    label,
    hint,
    value,
    errors,
  }: { label: string; hint: string; value?: string | undefined; errors?: readonly FieldError[] | undefined },
): SafeHtml {
  const more = { maxlength: 2_048, autocapitalize: 'none', spellcheck: 'false', dir: 'ltr' }
  return field(locale, { name: 'acct', label, hint, value, errors, autocomplete: 'off', more })
}
