import type { Ctx } from '../../../domain/context.ts'
import type { StatusEdit } from '../../../entities/status.ts'
import { plainText } from '../../../lib/text/plainText.ts'
import { renderStatusEdits } from '../../../render/status-edits.ts'
import type { HistoryInput, Version } from './history-template.ts'

const VERSIONS_PER_PAGE = 20

type History = Pick<HistoryInput, 'versions' | 'count' | 'newer' | 'older'>

/** A page of the versions of a post: the latest ones, or those below the number `before`. `url`: of the whole list. */
export async function historyOf(
  ctx: Ctx,
  { statusId, url, before }: { statusId: string; url: string; before: number | undefined },
): Promise<History> {
  const edits = (await renderStatusEdits(ctx, { id: statusId, viewerId: null })).map(
    (json) => JSON.parse(json) as StatusEdit,
  )
  const count = edits.length
  const end = before === undefined ? count : Math.min(Math.max(before - 1, 1), count)
  const start = Math.max(0, end - VERSIONS_PER_PAGE)
  const known = edits
    .slice(Math.max(0, start - 1), end)
    .map((edit, place) => versionOf(edit, Math.max(0, start - 1) + place + 1))
  const versions = known.slice(start === 0 ? 0 : 1).map((version) => ({
    version,
    before: known.find(({ number }) => number === version.number - 1) ?? null,
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
    text: plainText(edit.content),
    warning: edit.spoiler_text,
    sensitive: edit.sensitive,
    options: edit.poll?.options.map(({ title }) => title) ?? [],
    media: edit.media_attachments.map(({ id, description }) => ({ id, description: description ?? '' })),
  }
}
