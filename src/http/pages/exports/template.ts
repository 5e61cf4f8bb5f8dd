import type { ExportCounts } from '../../../domain/transfers/exports/count-exports.ts'
import { ARCHIVE_INTERVAL_DAYS } from '../../../domain/transfers/archives/account-archives.ts'
import type { AccountArchive } from '../../../domain/transfers/archives/account-archives.ts'
import { html } from '../../../lib/html/html.ts'
import type { HtmlValue, SafeHtml } from '../../../lib/html/html.ts'
import type { Locale } from '../../../lib/messages/locales.ts'
import { markup, message } from '../../../lib/messages/message.ts'
import { formatBytes } from '../../../lib/text/format-bytes.ts'
import { csrfField } from '../layout/form.ts'
import { formatsFor } from '../layout/formats.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { fullTime } from '../layout/time.ts'
import { paths } from '../paths.ts'
import { mayOpen } from '../settings/page-states.ts'
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

type ArchiveInput = {
  /** Newest first. */
  archives: readonly AccountArchive[]
  retentionDays: number
  /** Whether the user can request another archive. */
  canRequest: boolean
}

export type ExportInput = ArchiveInput & { counts: ExportCounts }

/** Returns the path of an archive. */
function archivePath(id: string): string {
  return `${paths.archives}/${id}`
}

/** What the user can export, with the number of entries of each list. The request of an archive posts to itself. */
export function exportPage(frame: Frame, { counts, ...archive }: ExportInput): string {
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
            ${downloadLink(locale, { url: `${paths.exports}/${file}`, file: message(locale, label) })}
          </li>`,
      )}
    </ul>
    <h2>${message(locale, 'exports.summary')}</h2>
    <dl class="pairs">
      ${pair(message(locale, 'exports.posts'), formatsFor(locale).number.format(counts.statuses))}
      ${pair(message(locale, 'exports.followers'), formatsFor(locale).number.format(counts.followers))}
      ${pair(message(locale, 'exports.media'), formatBytes(counts.mediaBytes))}
    </dl>
    <h2>${message(locale, 'archive.title')}</h2>
    ${archivePart(frame, archive)}
    ${
      mayOpen(frame, paths.imports) &&
      html`<p class="aside"><a href="${paths.imports}">${message(locale, 'settings.import')}</a></p>`
    }
    ${backToSettings(frame)}
  `
  return page(frame, { title, body, shape: 'narrow' })
}

function downloadLink(locale: Locale, { url, file }: { url: string; file: string }): SafeHtml {
  const unseen = (content: HtmlValue) => html`<span class="unseen">${content}</span>`
  return html`<a href="${url}" download>${markup(locale, 'exports.download', { file, unseen })}</a>`
}

function archivePart({ locale, csrf }: Frame, { archives, retentionDays, canRequest }: ArchiveInput): SafeHtml {
  return html`<p>${message(locale, 'archive.lead', { days: ARCHIVE_INTERVAL_DAYS })}</p>
    ${
      archives.length > 0 &&
      html`<ul class="removable">
          ${archives.map(
            ({ id, requestedAt, finishedAt, byteSize }) =>
              html`<li>
                <span class="strike-words"
                  ><span>${fullTime(locale, requestedAt)}</span
                  ><span class="hint"
                    >${finishedAt ? formatBytes(byteSize ?? 0) : message(locale, 'archive.pending')}</span
                  ></span
                >
                ${finishedAt && downloadLink(locale, { url: archivePath(id), file: message(locale, 'archive.title') })}
              </li>`,
          )}
        </ul>
        <p class="hint">${message(locale, 'archive.expiry', { days: retentionDays })}</p>`
    }
    ${
      canRequest &&
      html`<form method="post" action="${paths.export}">
        ${csrfField(csrf)}
        <p class="actions"><button class="button" type="submit">${message(locale, 'archive.request')}</button></p>
      </form>`
    }`
}

function pair(term: string, value: string): SafeHtml {
  return html`<div>
    <dt>${term}</dt>
    <dd>${value}</dd>
  </div>`
}
