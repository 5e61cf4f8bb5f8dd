import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Ctx } from '../../../domain/context.ts'
import type { StatusEdit } from '../../../entities/statuses/status.ts'
import { parseEntity } from '../../../lib/json/json-content.ts'
import type { SafeHtml } from '../../../lib/html/html.ts'
import { htmlToPlainText } from '../../../lib/html/html-to-plain-text.ts'
import type { Locale } from '../../../lib/messages/locales.ts'
import { renderStatusVersions } from '../../../render/statuses/render-status-edits.ts'
import { versionArticle } from './history-template.ts'
import type { HistoryInput, Version } from './history-template.ts'

const VERSIONS_PER_PAGE = 20

type History = Pick<HistoryInput, 'articles' | 'newer' | 'older'>

/**
 * Returns a page of the edit history of a post: the latest versions, or those before the number `before`. `url`: of the
 * history.
 */
export async function historyOf(
  ctx: Ctx,
  { statusId, url, before, locale }: { statusId: string; url: string; before: number | undefined; locale: Locale },
): Promise<History> {
  const rangeOf = (count: number) => {
    const to = before === undefined ? count : Math.min(Math.max(before - 1, 1), count)
    const start = Math.max(0, to - VERSIONS_PER_PAGE)
    // With the version before the first one of the page, for the comparison.
    return { start, from: Math.max(0, start - 1), to }
  }
  const { count, versions: edits } = await ctx.read(renderStatusVersions, { id: statusId, viewerId: null, rangeOf })
  const { start, from, to: end } = rangeOf(count)
  const articles: SafeHtml[] = []
  let previous: Version | null = null
  for (const [index, json] of edits.entries()) {
    const version = versionOf(parseEntity(json), from + index + 1)
    if (version.number > start) {
      articles.push(versionArticle(locale, { version, before: previous, isCurrent: version.number === count }))
      // Comparing long descriptions takes some milliseconds for each version, in which other requests would wait.
      await nextTurn()
    }
    previous = version
  }
  return {
    articles: articles.toReversed(),
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
