import { sql } from 'kysely'
import { openTrendServer } from '../features/trends.ts'
import type { TestServer } from '../servers/test-server.ts'

/** Creates trends of each kind that the staff have not reviewed. */
export async function createTrends(testServer: TestServer): Promise<void> {
  const { users, post, favourite, measure } = await openTrendServer(testServer)
  for (const author of users.slice(0, 5)) await post(author, 'Look at #Swifts and #Larks')
  await favourite(await post(users[0]!, 'Everybody likes this post', { language: 'en' }))
  await testServer.waitForJobs()
  await measure()
  await sql`
    with publisher as (insert into preview_card_providers (domain) values ('news.test') returning id),
      card as (insert into preview_cards (url, type, title, language, image_key)
        values ('https://news.test/swifts', 'link', 'Swifts are back', 'en', 'cards/swifts.png') returning id)
    insert into trending_links (card_id, publisher_id, peak, peaked_at, score)
    select card.id, publisher.id, 7, now(), 7 from card, publisher`.execute(testServer.ctx.db)
}
