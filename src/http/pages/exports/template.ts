import type { ExportCounts } from '../../../domain/transfers/exports/count-exports.ts'
import { html } from '../../../lib/html/html.ts'
import type { SafeHtml } from '../../../lib/html/html.ts'
import { markup, message } from '../../../lib/messages/message.ts'
import { formatBytes } from '../../../lib/text/format-bytes.ts'
import { formatsFor } from '../layout/formats.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { paths } from '../paths.ts'
import { backToSettings } from '../settings/template.ts'

/** The lists that a user can download, with the names of their files. */
const DOWNLOADS = [
  { label: 'exports.follows', count: 'follows', file: 'follows.csv' },
  { label: 'exports.lists', count: 'lists', file: 'lists.csv' },
  { label: 'exports.mutes', count: 'mutes', file: 'mutes.csv' },
  { label: 'exports.blocks', count: 'blocks', file: 'blocks.csv' },
  { label: 'exports.domain-blocks', count: 'domainBlocks', file: 'domain_blocks.csv' },
  { label: 'exports.bookmarks', count: 'bookmarks', file: 'bookmarks.csv' },
  { label: 'exports.filters', count: 'filters', file: 'custom_filters.json' },
] as const

export type ExportInput = { counts: ExportCounts }

/** What the user can export, with the number of entries of each list. */
export function exportPage(frame: Frame, { counts }: ExportInput): string {
  const { locale } = frame
  const title = message(locale, 'exports.title')
  const body = html`
    <h1>${title}</h1>
    <p class="lead">${message(locale, 'exports.lead')}</p>
    <ul class="removable">
      ${DOWNLOADS.map(
        ({ label, count, file }) =>
          html`<li>
            <span class="strike-words"
              ><span>${message(locale, label)}</span
              ><span class="hint">${message(locale, 'exports.entries', { count: counts[count] })}</span></span
            >
            <a href="${paths.exports}/${file}" download
              >${markup(locale, 'exports.download', {
                file: message(locale, label),
                unseen: (content) => html`<span class="unseen">${content}</span>`,
              })}</a
            >
          </li>`,
      )}
    </ul>
    <h2>${message(locale, 'exports.summary')}</h2>
    <dl class="pairs">
      ${pair(message(locale, 'exports.posts'), formatsFor(locale).number.format(counts.statuses))}
      ${pair(message(locale, 'exports.followers'), formatsFor(locale).number.format(counts.followers))}
      ${pair(message(locale, 'exports.media'), formatBytes(counts.mediaBytes))}
    </dl>
    <p class="aside"><a href="${paths.imports}">${message(locale, 'settings.import')}</a></p>
    ${backToSettings(locale)}
  `
  return page(frame, { title, body, shape: 'narrow' })
}

function pair(term: string, value: string): SafeHtml {
  return html`<div>
    <dt>${term}</dt>
    <dd>${value}</dd>
  </div>`
}
