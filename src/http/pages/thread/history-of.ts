import type { Ctx } from '../../../domain/context.ts'
import type { StatusEdit } from '../../../entities/statuses/status.ts'
import { parseEntity } from '../../../lib/json/json-content.ts'
import { htmlToPlainText } from '../../../lib/html/html-to-plain-text.ts'
import { renderStatusEdits } from '../../../render/statuses/render-status-edits.ts'
import type { HistoryInput, Version } from './history-template.ts'

const VERSIONS_PER_PAGE = 20

type History = Pick<HistoryInput, 'versions' | 'count' | 'newer' | 'older'>

/**
 * Returns a page of the edit history of a post: the latest versions, or those before the number `before`. `url`: of the
 * history.
 */
export async function historyOf(
  ctx: Ctx,
  { statusId, url, before }: { statusId: string; url: string; before: number | undefined },
): Promise<History> {
  const edits = (await ctx.read(renderStatusEdits, { id: statusId, viewerId: null })).map((json) => parseEntity(json))
  const count = edits.length
  const end = before === undefined ? count : Math.min(Math.max(before - 1, 1), count)
  const start = Math.max(0, end - VERSIONS_PER_PAGE)
  const loaded = edits
    .slice(Math.max(0, start - 1), end)
    .map((edit, index) => versionOf(edit, Math.max(0, start - 1) + index + 1))
  const versions = loaded.slice(start === 0 ? 0 : 1).map((version) => ({
    version,
    before: loaded.find(({ number }) => number === version.number - 1) ?? null,
  }))
  return {
    versions: versions.toReversed(),
    count,
    newer:
      end === count ? null : end + VERSIONS_PER_PAGE >= count ? url : `${url}?before=${end + VERSIONS_PER_PAGE + 1}`,
    older: start === 0 ? null : `${url}?before=${start + 1}`,
  }
}

function versionOf(edit: StatusEdit, number: number): Version {
  return {
    number,
    at: new Date(edit.created_at),
    text: htmlToPlainText(edit.content),
    warning: edit.spoiler_text,
    sensitive: edit.sensitive,
    options: edit.poll?.options.map(({ title }) => title) ?? [],
    media: edit.media_attachments.map(({ id, description }) => ({ id, description: description ?? '' })),
  }
}
