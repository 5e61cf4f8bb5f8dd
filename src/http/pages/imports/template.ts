import { CONFIRMATION_MINUTES } from '../../../domain/transfers/imports/find-imports.ts'
import { MAX_ARCHIVE_ENTRIES } from '../../../domain/transfers/imports/create-archive-import.ts'
import type { AccountImport } from '../../../domain/transfers/imports/find-imports.ts'
import { IMPORT_TYPES } from '../../../domain/transfers/imports/import-formats.ts'
import { MAX_IMPORT_MEGABYTES, MAX_IMPORT_ROWS } from '../../../domain/transfers/imports/read-import-file.ts'
import type { FieldError } from '../../../lib/errors.ts'
import { html, isolateDirection } from '../../../lib/html/html.ts'
import type { SafeHtml } from '../../../lib/html/html.ts'
import type { Locale } from '../../../lib/messages/locales.ts'
import { message } from '../../../lib/messages/message.ts'
import { csrfField, errorSummary, field, notice, selectField } from '../layout/form.ts'
import { icons } from '../layout/icons.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { fullTime } from '../layout/time.ts'
import { paths } from '../paths.ts'
import { backToSettings } from '../settings/template.ts'

/** Returns the path of the page of an import. */
export function importPath(id: string): string {
  return `${paths.imports}/${id}`
}

export type ImportsInput = {
  recent: readonly AccountImport[]
  /** What the user selected before. */
  type: string
  mode: 'merge' | 'overwrite'
  maxArchiveMegabytes: number
  /** Attributes `file` and `archive`. */
  errors?: readonly FieldError[]
}

/**
 * The form to upload a file, which posts to `paths.imports`, the form to upload an archive, which posts to
 * `paths.importArchive`, and the latest imports.
 */
export function importsPage(frame: Frame, { recent, type, mode, maxArchiveMegabytes, errors }: ImportsInput): string {
  const { locale } = frame
  const title = message(locale, 'imports.title')
  const label = message(locale, 'imports.file')
  const archiveLabel = message(locale, 'imports.archive.file')
  const body = html`
    <h1>${title}</h1>
    <p class="lead">${message(locale, 'imports.lead')}</p>
    ${errorSummary(locale, { errors, labels: { file: label, archive: archiveLabel } })}
    <form method="post" action="${paths.imports}" enctype="multipart/form-data">
      ${csrfField(frame.csrf)}
      ${selectField({
        name: 'type',
        label: message(locale, 'imports.type'),
        value: type,
        options: IMPORT_TYPES.map((one) => [one, message(locale, `imports.type.${one}`)] as const),
      })}
      ${field(locale, {
        name: 'file',
        label,
        type: 'file',
        hint: message(locale, 'imports.file-hint', { megabytes: MAX_IMPORT_MEGABYTES, rows: MAX_IMPORT_ROWS }),
        errors,
        more: { accept: '.csv,.json,text/csv,application/json' },
      })}
      ${selectField({
        name: 'mode',
        label: message(locale, 'imports.mode'),
        value: mode,
        options: (['merge', 'overwrite'] as const).map((one) => [one, message(locale, `imports.mode.${one}`)] as const),
      })}
      <p class="actions"><button class="button" type="submit">${message(locale, 'imports.upload')}</button></p>
    </form>
    <h2>${message(locale, 'imports.archive.title')}</h2>
    <p>${message(locale, 'imports.archive.lead')}</p>
    <form method="post" action="${paths.importArchive}" enctype="multipart/form-data">
      ${csrfField(frame.csrf)}
      ${field(locale, {
        name: 'archive',
        label: archiveLabel,
        type: 'file',
        hint: message(locale, 'imports.archive.file-hint', {
          megabytes: maxArchiveMegabytes,
          entries: MAX_ARCHIVE_ENTRIES,
        }),
        errors,
        more: { accept: '.zip,application/zip' },
      })}
      <p class="actions"><button class="button" type="submit">${message(locale, 'imports.archive.upload')}</button></p>
    </form>
    ${
      recent.length > 0 &&
      html`<h2>${message(locale, 'imports.recent')}</h2>
        <ul class="choices">
          ${recent.map(
            (item) =>
              html`<li>
                <a href="${importPath(item.id)}"
                  ><span class="strike-words"
                    ><span>${message(locale, `imports.type.${item.type}`)}</span
                    ><span class="hint"
                      >${fullTime(locale, item.createdAt)} &middot; ${stateOf(locale, item)}</span
                    ></span
                  >
                  ${icons.forward}</a
                >
              </li>`,
          )}
        </ul>`
    }
    <p class="aside"><a href="${paths.export}">${message(locale, 'settings.export')}</a></p>
    ${backToSettings(frame)}
  `
  return page(frame, { title, body, shape: 'narrow' })
}

/** One import: the confirmation, or the progress. */
export function importPage(frame: Frame, { item }: { item: AccountImport }): string {
  const { locale } = frame
  const title = message(locale, `imports.type.${item.type}`)
  const body = html`
    <p class="back"><a href="${paths.imports}">${message(locale, 'imports.back')}</a></p>
    <h1>${title}</h1>
    <p class="quiet">${isolateDirection(item.fileName)} &middot; ${fullTime(locale, item.createdAt)}</p>
    ${item.state === 'unconfirmed' ? confirmation(frame, item) : progress(locale, item)} ${undoPart(locale, item)}
  `
  return page(frame, { title, body, shape: 'narrow' })
}

/** The confirmation that all posts of an import are deleted. */
export function undoPage(frame: Frame, { item: { id, posts } }: { item: AccountImport }): string {
  const { locale, csrf } = frame
  const title = message(locale, 'imports.undo.title')
  const body = html`
    <p class="back"><a href="${importPath(id)}">${message(locale, 'imports.type.archive')}</a></p>
    <h1>${title}</h1>
    <p class="lead">${message(locale, 'imports.undo.confirm', { count: posts })}</p>
    <p>${message(locale, 'imports.undo.lead')}</p>
    <form method="post" action="${importPath(id)}/undo">
      ${csrfField(csrf)}
      <p class="actions">
        <button class="button" type="submit">${message(locale, 'imports.undo.go')}</button>
      </p>
    </form>
    <p class="actions">
      <a class="button button-line" href="${importPath(id)}">${message(locale, 'imports.cancel')}</a>
    </p>
  `
  return page(frame, { title, body, shape: 'narrow' })
}

function undoPart(locale: Locale, { id, posts, undo, undoableUntil }: AccountImport): SafeHtml | null {
  if (undo === 'done') return notice('good', message(locale, 'imports.undo.done'))
  if (undo === 'requested') {
    return html`<p>${message(locale, 'imports.undo.progress', { count: posts })}</p>
      <p class="actions">
        <a class="button button-line" href="${importPath(id)}">${message(locale, 'imports.refresh')}</a>
      </p>`
  }
  if (undoableUntil === null || posts === 0) return null
  return html`<h2>${message(locale, 'imports.undo.title')}</h2>
    <p>${message(locale, 'imports.undo.until', { date: fullTime(locale, undoableUntil) })}</p>
    <p class="actions">
      <a class="button button-line" href="${importPath(id)}/undo">${message(locale, 'imports.undo.start')}</a>
    </p>`
}

function confirmation({ locale, csrf }: Frame, { id, type, overwrite, total }: AccountImport): SafeHtml {
  const kind = message(locale, `imports.type.${type}`)
  const text =
    type === 'archive'
      ? message(locale, 'imports.archive.confirm', { count: total })
      : message(locale, overwrite ? 'imports.confirm-overwrite' : 'imports.confirm-merge', { count: total, kind })
  return html`<p class="lead">${text}</p>
    ${
      type === 'archive' &&
      html`<p>${message(locale, 'imports.archive.confirm-lead')}</p>
        <p>${message(locale, 'imports.archive.confirm-saved')}</p>`
    }
    <p class="hint">${message(locale, 'imports.confirm-hint', { minutes: CONFIRMATION_MINUTES })}</p>
    <form method="post" action="${importPath(id)}/confirm">
      ${csrfField(csrf)}
      <p class="actions"><button class="button" type="submit">${message(locale, 'imports.confirm')}</button></p>
    </form>
    <form method="post" action="${importPath(id)}/delete">
      ${csrfField(csrf)}
      <p class="actions">
        <button class="button button-line" type="submit">${message(locale, 'imports.cancel')}</button>
      </p>
    </form>`
}

function progress(locale: Locale, item: AccountImport): SafeHtml {
  const { failed, type } = item
  return html`${
      item.state === 'finished'
        ? notice('good', message(locale, 'imports.state.finished'))
        : html`<p class="lead">${stateOf(locale, item)}</p>
            <p class="actions">
              <a class="button button-line" href="${importPath(item.id)}">${message(locale, 'imports.refresh')}</a>
            </p>`
    }
    <p>${message(locale, 'imports.done', { imported: item.imported, total: item.total })}</p>
    ${
      failed > 0 &&
      html`<p>
          ${message(locale, type === 'archive' ? 'imports.archive.failed' : 'imports.failed', { count: failed })}
        </p>
        <p>
          <a href="${importPath(item.id)}/failures.csv" download>${message(locale, 'imports.failures')}</a>
        </p>`
    }`
}

function stateOf(locale: Locale, { state, processed, total }: AccountImport): string {
  return state === 'in_progress'
    ? message(locale, 'imports.state.in_progress', { processed, total })
    : message(locale, `imports.state.${state}`)
}
