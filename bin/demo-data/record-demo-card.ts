import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { normalizeLinkUrl } from '../../src/domain/cards/link-status.ts'
import { storeCardImage } from '../../src/domain/cards/store-card-image.ts'
import { recordCard } from '../../src/domain/cards/record-card.ts'
import { html } from '../../src/lib/html/html.ts'
import { extractPageMetadata } from '../../src/lib/webpage/describe-page.ts'
import type { Random } from '../../test/oracles/random.ts'
import { drawPicture } from '../draw/draw-picture.ts'
import type { Page } from './topics.ts'
import type { BuilderCtx } from '../../test/query-builder.ts'

/**
 * Records the preview card of a page of a fictional site to which a status already links. Nothing is fetched: the page
 * is generated from its metadata, and its image is drawn.
 */
export async function recordDemoCard(
  ctx: BuilderCtx,
  { page, random, folder }: { page: Page; random: Random; folder: string },
): Promise<void> {
  const path = join(folder, 'card.jpeg')
  await drawPicture({ random, width: 1_200, height: 630, path, scene: page.image.scene })
  const image = await storeCardImage(ctx, { buffer: await readFile(path) })
  const facts = extractPageMetadata(describe(page), { pageUrl: page.url, now: ctx.now() })
  const { id: linkId } = await ctx.db
    .selectFrom('preview_links')
    .select('id')
    .where('url', '=', normalizeLinkUrl(page.url))
    .executeTakeFirstOrThrow()
  await ctx.write((tx) => recordCard(tx, { linkId, facts, creatorIds: [], image }))
}

function describe({ url, site, title, description, language, image }: Page): string {
  return html`<html lang="${language}">
    <head>
      <title>${title}</title>
      <meta property="og:site_name" content="${site}" />
      <meta property="og:description" content="${description}" />
      <meta property="og:image" content="${new URL('/cover.jpeg', url).href}" />
      <meta property="og:image:alt" content="${image.description}" />
    </head>
  </html>`.toString()
}
