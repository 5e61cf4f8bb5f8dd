import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { addressOf } from '../../src/domain/cards/link.ts'
import { storePicture } from '../../src/domain/cards/picture.ts'
import { recordCard } from '../../src/domain/cards/record.ts'
import { html } from '../../src/lib/html.ts'
import { describePage } from '../../src/lib/webpage/describePage.ts'
import type { Random } from '../../test/random.ts'
import { drawPicture } from '../draw.ts'
import type { Page } from './topics.ts'
import type { BuilderCtx } from '../../test/query-builder.ts'

/**
 * Records the preview card of a page of a made-up site, to which a status links already. Nothing is fetched: the page is
 * read from here, and its picture is drawn.
 */
export async function recordPage(
  ctx: BuilderCtx,
  { page, random, folder }: { page: Page; random: Random; folder: string },
): Promise<void> {
  const path = join(folder, 'card.jpeg')
  await drawPicture({ random, width: 1_200, height: 630, path, scene: page.image.scene })
  const picture = await storePicture(ctx, { buffer: await readFile(path) })
  const facts = describePage(describe(page), { pageUrl: page.url, now: ctx.now() })
  const { id: linkId } = await ctx.db
    .selectFrom('links')
    .select('id')
    .where('url', '=', addressOf(page.url))
    .executeTakeFirstOrThrow()
  await ctx.write((tx) => recordCard(tx, { linkId, facts, creatorIds: [], picture }))
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
