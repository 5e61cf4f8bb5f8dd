import type { Filter, FilterKeyword } from '../../../entities/accounts/filter.ts'
import type { FieldError } from '../../../lib/errors.ts'
import { attributes, html, isolateDirection } from '../../../lib/html/html.ts'
import type { SafeHtml } from '../../../lib/html/html.ts'
import type { Locale } from '../../../lib/messages/locales.ts'
import { message } from '../../../lib/messages/message.ts'
import { checkbox, csrfField, errorSummary, field, hiddenFields, selectField } from '../layout/form.ts'
import { icons } from '../layout/icons.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { fullTime } from '../layout/time.ts'
import { paths } from '../paths.ts'
import { backToSettings } from '../settings/template.ts'

export const CONTEXTS = ['home', 'notifications', 'public', 'thread', 'account'] as const
export const ACTIONS = ['warn', 'blur', 'hide'] as const
/** In seconds; 0: never. */
export const EXPIRIES = [0, 1_800, 3_600, 21_600, 43_200, 86_400, 604_800] as const

/** Empty rows for further keywords. */
const NEW_KEYWORDS = 3

/** Returns the path of the page of a filter. */
export function filterPath(id: string): string {
  return `${paths.filters}/${id}/edit`
}

/** The list of the user's filters. */
export function filtersPage(frame: Frame, { filters, now }: { filters: readonly Filter[]; now: Date }): string {
  const { locale } = frame
  const title = message(locale, 'filters.title')
  const body = html`
    <h1>${title}</h1>
    <p class="lead">${message(locale, filters.length === 0 ? 'filters.none' : 'filters.lead')}</p>
    <ul class="choices">
      ${filters.map(
        (filter) =>
          html`<li>
            <a href="${filterPath(filter.id)}"
              ><span class="strike-words"
                ><span>${isolateDirection(filter.title)}</span
                ><span class="hint">${summary(locale, filter, now)}</span></span
              >
              ${icons.forward}</a
            >
          </li>`,
      )}
    </ul>
    <p class="actions"><a class="button" href="${paths.newFilter}">${message(locale, 'filters.new')}</a></p>
    ${backToSettings(frame)}
  `
  return page(frame, { title, body, shape: 'narrow' })
}

function summary(
  locale: Locale,
  { filter_action: action, keywords, expires_at: expiresAt }: Filter,
  now: Date,
): string {
  const parts = [
    message(locale, `filters.actions.${action}`),
    message(locale, 'filters.keywords', { count: keywords?.length ?? 0 }),
    ...(expiresAt === null ? [] : [expiryWords(locale, { expiresAt: new Date(expiresAt), now })]),
  ]
  return parts.join(' · ')
}

function expiryWords(locale: Locale, { expiresAt, now }: { expiresAt: Date; now: Date }): string {
  const time = fullTime(locale, expiresAt)
  return expiresAt <= now ? message(locale, 'filters.expired', { time }) : message(locale, 'filters.expires', { time })
}

export type FilterInput = {
  /** null: a new filter. */
  id: string | null
  title: string
  contexts: readonly string[]
  action: (typeof ACTIONS)[number]
  /** null: the filter does not expire, or it is new. */
  expiresAt: Date | null
  /** What the user chose before; undefined: the stored time. */
  expiresInSeconds?: number | undefined
  keywords: readonly Pick<FilterKeyword, 'id' | 'keyword' | 'whole_word'>[]
  /** How many posts the filter contains. Apps add them. */
  statuses: number
  now: Date
  /** Attributes `title`, `context`, `keyword`. */
  errors?: readonly FieldError[]
}

/** The form of a filter: posts to `paths.filters` (new) or to the path of the filter. */
export function filterPage(frame: Frame, input: FilterInput): string {
  const { locale, csrf } = frame
  const { id, errors, statuses } = input
  const title = message(locale, id === null ? 'filters.new' : 'filters.edit')
  const labels = {
    title: message(locale, 'filters.name'),
    context: message(locale, 'filters.contexts'),
    keyword: message(locale, 'filters.keywords-title'),
  }
  const body = html`
    <p class="back"><a href="${paths.filters}">${message(locale, 'filters.title')}</a></p>
    <h1>${title}</h1>
    ${errorSummary(locale, { errors, labels })}
    <form method="post" action="${id === null ? paths.filters : `${paths.filters}/${id}`}">
      ${csrfField(csrf)}
      ${field(locale, { name: 'title', label: labels.title, value: input.title, errors, more: { maxlength: 256 } })}
      ${contextsPart(locale, input)}
      ${selectField({
        name: 'filter_action',
        label: message(locale, 'filters.action'),
        value: input.action,
        options: ACTIONS.map((one) => [one, message(locale, `filters.actions.${one}`)] as const),
      })}
      ${expiryPart(locale, input)} ${keywordsPart(locale, input)}
      ${statuses > 0 && html`<p class="hint">${message(locale, 'filters.statuses', { count: statuses })}</p>`}
      <p class="actions"><button class="button" type="submit">${message(locale, 'filters.submit')}</button></p>
    </form>
    ${
      id !== null &&
      html`<form method="post" action="${paths.filters}/${id}/delete">
        ${csrfField(csrf)}
        <p class="actions">
          <button class="button button-line" type="submit">${message(locale, 'filters.delete')}</button>
        </p>
      </form>`
    }
  `
  return page(frame, { title, body, shape: 'narrow' })
}

function contextsPart(locale: Locale, { contexts }: FilterInput): SafeHtml {
  return html`<fieldset class="field" id="context">
    <legend>${message(locale, 'filters.contexts')}</legend>
    ${CONTEXTS.map((one, index) =>
      checkbox(locale, {
        name: `contexts[${index}]`,
        value: one,
        label: message(locale, `filters.context.${one}`),
        checked: contexts.includes(one),
        optional: true,
      }),
    )}
  </fieldset>`
}

function expiryPart(locale: Locale, { expiresAt, expiresInSeconds, now }: FilterInput): SafeHtml {
  const kept = expiresAt === null ? [] : [['keep', expiryWords(locale, { expiresAt, now })] as const]
  return selectField({
    name: 'expires_in',
    label: message(locale, 'filters.expiry'),
    value: String(expiresInSeconds ?? (expiresAt === null ? 0 : 'keep')),
    options: [
      ...kept,
      ...EXPIRIES.map((seconds) => [String(seconds), message(locale, `filters.expiries.${seconds}`)] as const),
    ],
  })
}

function keywordsPart(locale: Locale, { keywords }: FilterInput): SafeHtml {
  const rows = [...keywords, ...Array.from({ length: NEW_KEYWORDS }, () => ({ id: '', keyword: '', whole_word: true }))]
  return html`<fieldset class="field" id="keyword">
    <legend>${message(locale, 'filters.keywords-title')}</legend>
    <p class="hint">${message(locale, 'filters.keywords-hint')}</p>
    ${rows.map(
      ({ id, keyword, whole_word: wholeWord }, index) =>
        html`<div class="keyword-row">
          ${hiddenFields({ [`keywords[${index}][id]`]: id || null })}
          <label class="unseen" for="keyword-${index}"
            >${message(locale, 'filters.keyword-label', { number: index + 1 })}</label
          >
          <input
            class="input"
            dir="auto"
            ${attributes({ id: `keyword-${index}`, name: `keywords[${index}][keyword]`, value: keyword, maxlength: 512 })}
          />
          ${checkbox(locale, {
            name: `keywords[${index}][whole_word]`,
            label: message(locale, 'filters.whole-word'),
            checked: wholeWord,
            optional: true,
          })}
        </div>`,
    )}
  </fieldset>`
}
