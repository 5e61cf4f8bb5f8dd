import { html, isolate } from '../../../lib/html.ts'
import type { SafeHtml } from '../../../lib/html.ts'
import type { FieldError } from '../../../lib/errors.ts'
import { csrfField, errorSummary, field, hiddenFields, notice } from '../layout/form.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { paths } from '../paths.ts'
import { identity } from '../layout/page-account.ts'
import type { Person } from '../layout/page-account.ts'
import { backToSettings, currentPasswordField, pointList } from '../settings/template.ts'
import { textFor } from '../text.ts'
import type { Text } from '../text.ts'

export type AliasesInput = {
  /** The addresses of the accounts that are named, with whose they are where that is known. */
  aliases: readonly { uri: string; person: Person | null }[]
  /** What has just happened. */
  done?: 'added' | 'removed'
  /** What was typed before. */
  value?: string
  /** Attribute `acct`. */
  errors?: readonly FieldError[]
}

/** Names one's accounts elsewhere; posts to `paths.aliases` and, with `uri`, to `paths.removeAlias`. */
export function aliasesPage(frame: Frame, { aliases, done, value, errors }: AliasesInput): string {
  const text = textFor(frame.lang)
  const words = text.settings.aliases
  const body = html`
    <h1>${words.title}</h1>
    <p class="lead">${words.lead}</p>
    ${done && notice('good', words[done])} ${errorSummary(text, { errors, labels: { acct: words.label } })}
    <form method="post" action="${paths.aliases}">
      ${csrfField(frame.csrf)} ${accountField(text, { ...words, value, errors })}
      <p class="actions"><button class="button" type="submit">${words.add}</button></p>
    </form>
    <h2>${words.listed}</h2>
    ${
      aliases.length === 0
        ? html`<p class="quiet">${words.none}</p>`
        : html`<ul class="removable">
            ${aliases.map(
              ({ uri, person }) =>
                html`<li>
                  ${person ? identity(person) : html`<span>${isolate(uri)}</span>`}
                  <form method="post" action="${paths.removeAlias}">
                    ${csrfField(frame.csrf)} ${hiddenFields({ uri })}
                    <button class="button button-text" type="submit">
                      ${words.remove(isolate(person?.handle ?? uri))}
                    </button>
                  </form>
                </li>`,
            )}
          </ul>`
    }
    ${backToSettings(text)}
  `
  return page(frame, { title: words.title, body, shape: 'narrow' })
}

export type MigrationInput = {
  /** Where the account has moved; null: nowhere. */
  movedTo: Person | null
  /** How often one can move. */
  pauseDays: number
  /** What has just happened. */
  done?: 'done' | 'cancelled'
  /** What was typed before. */
  value?: string
  /** Attributes `acct`, `current_password`. */
  errors?: readonly FieldError[]
}

/** Moves one's followers to another account; posts to `paths.migration` and `paths.cancelMove`. */
export function migrationPage(frame: Frame, { movedTo, pauseDays, done, value, errors }: MigrationInput): string {
  const text = textFor(frame.lang)
  const words = text.settings.migration
  const labels = { acct: words.label, current_password: text.settings.currentPassword }
  const body = html`
    <h1>${movedTo ? words.moved : words.title}</h1>
    ${done && notice('good', words[done])}
    ${movedTo ? redirection(frame, text, movedTo) : html`<p class="lead">${words.lead}</p>`}
    ${movedTo ? html`<h2>${words.again}</h2>` : pointList([...words.points, words.every(pauseDays)])}
    ${errorSummary(text, { errors, labels })}
    <form method="post" action="${paths.migration}">
      ${csrfField(frame.csrf)} ${accountField(text, { ...words, value, errors })}
      ${currentPasswordField(text, { errors })}
      <p class="actions">
        <button class="button ${movedTo && 'button-line'}" type="submit">${words.submit}</button>
      </p>
    </form>
    ${backToSettings(text)}
  `
  return page(frame, { title: movedTo ? words.moved : words.title, body, shape: 'narrow' })
}

function redirection(frame: Frame, text: Text, movedTo: Person): SafeHtml {
  const words = text.settings.migration
  return html`<p class="lead">${words.movedTo}</p>
    ${identity(movedTo)}
    <form method="post" action="${paths.cancelMove}">
      ${csrfField(frame.csrf)}
      <p class="hint">${words.cancelNote}</p>
      <p class="actions"><button class="button" type="submit">${words.cancel}</button></p>
    </form>`
}

/** The field `acct`. */
function accountField(
  text: Text,
  {
    label,
    hint,
    value,
    errors,
  }: { label: string; hint: string; value?: string | undefined; errors?: readonly FieldError[] | undefined },
): SafeHtml {
  const more = { maxlength: 2_048, autocapitalize: 'none', spellcheck: 'false', dir: 'ltr' }
  return field(text, { name: 'acct', label, hint, value, errors, autocomplete: 'off', more })
}
