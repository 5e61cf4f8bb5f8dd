import { MIN_AGES } from '../../../domain/statuses/cleanup/cleanup-policy.ts'
import type { CleanupPolicy } from '../../../domain/statuses/cleanup/cleanup-policy.ts'
import type { FieldError } from '../../../lib/errors.ts'
import { html } from '../../../lib/html/html.ts'
import type { SafeHtml } from '../../../lib/html/html.ts'
import type { Locale } from '../../../lib/messages/locales.ts'
import { markup, message } from '../../../lib/messages/message.ts'
import { checkbox, csrfField, errorSummary, field, notice, selectField } from '../layout/form.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { paths } from '../paths.ts'
import { backToSettings } from '../settings/template.ts'

export type StatusesCleanupInput = {
  policy: CleanupPolicy
  /** What the user entered as the numbers of interactions. */
  thresholds?: { minFavourites: string; minReblogs: string }
  saved?: boolean
  /** Attributes `min_age`, `min_favourites`, `min_reblogs`. */
  errors?: readonly FieldError[]
}

/** The automated deletion of the user's old posts; posts to `paths.statusesCleanup`. */
export function statusesCleanupPage(frame: Frame, input: StatusesCleanupInput): string {
  const { locale } = frame
  const { policy, saved, errors } = input
  const title = message(locale, 'statuses-cleanup.title')
  const labels = {
    min_age: message(locale, 'statuses-cleanup.min-age'),
    min_favourites: message(locale, 'statuses-cleanup.min-favourites'),
    min_reblogs: message(locale, 'statuses-cleanup.min-reblogs'),
  }
  const archiveLink = (words: unknown) => html`<a href="${paths.export}">${words as SafeHtml}</a>`
  const body = html`
    <h1>${title}</h1>
    <p class="lead">${message(locale, 'statuses-cleanup.lead')}</p>
    ${saved && notice('good', message(locale, 'statuses-cleanup.saved'))} ${errorSummary(locale, { errors, labels })}
    <p>${markup(locale, 'statuses-cleanup.permanent', { link: archiveLink })}</p>
    <form method="post" action="${paths.statusesCleanup}">
      ${csrfField(frame.csrf)}
      ${checkbox(locale, { name: 'enabled', label: message(locale, 'statuses-cleanup.enabled'), checked: policy.enabled, optional: true })}
      ${selectField({
        name: 'min_age',
        label: labels.min_age,
        value: String(policy.minAgeSeconds),
        options: MIN_AGES.map((age) => [String(age), message(locale, `statuses-cleanup.ages.${age}`)] as const),
      })}
      <p class="hint">${message(locale, 'statuses-cleanup.pace')}</p>
      ${exceptionsPart(locale, policy)} ${interactionsPart(locale, input, labels)}
      <p class="actions"><button class="button" type="submit">${message(locale, 'statuses-cleanup.submit')}</button></p>
    </form>
    ${backToSettings(frame)}
  `
  return page(frame, { title, body, shape: 'narrow' })
}

function exceptionsPart(locale: Locale, policy: CleanupPolicy): SafeHtml {
  const choices = [
    ['keep_pinned', message(locale, 'statuses-cleanup.keep-pinned'), policy.keepPinned],
    ['keep_direct', message(locale, 'statuses-cleanup.keep-direct'), policy.keepDirect],
    ['keep_favourited', message(locale, 'statuses-cleanup.keep-favourited'), policy.keepFavourited],
    ['keep_bookmarked', message(locale, 'statuses-cleanup.keep-bookmarked'), policy.keepBookmarked],
    ['keep_polls', message(locale, 'statuses-cleanup.keep-polls'), policy.keepPolls],
    ['keep_media', message(locale, 'statuses-cleanup.keep-media'), policy.keepMedia],
  ] as const
  return html`<h2>${message(locale, 'statuses-cleanup.exceptions')}</h2>
    <p>${message(locale, 'statuses-cleanup.exceptions-lead')}</p>
    ${choices.map(([name, label, checked]) => checkbox(locale, { name, label, checked, optional: true }))}`
}

function interactionsPart(
  locale: Locale,
  { policy, thresholds, errors }: StatusesCleanupInput,
  labels: { min_favourites: string; min_reblogs: string },
): SafeHtml {
  const entered = thresholds ?? {
    minFavourites: String(policy.minFavourites ?? ''),
    minReblogs: String(policy.minReblogs ?? ''),
  }
  const shared = { type: 'number', errors, optional: true, more: { min: 1, inputmode: 'numeric' } } as const
  return html`<h2>${message(locale, 'statuses-cleanup.interactions')}</h2>
    <p>${message(locale, 'statuses-cleanup.interactions-lead')}</p>
    ${field(locale, { name: 'min_favourites', label: labels.min_favourites, value: entered.minFavourites, ...shared })}
    ${field(locale, { name: 'min_reblogs', label: labels.min_reblogs, value: entered.minReblogs, ...shared })}`
}
