import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import sharp from 'sharp'
import { openCommandLine } from '../../../test/command-line.ts'
import { assertEntity } from '../../../test/http/entities/entity-schemas.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import { setDomainBlock } from '../../domain/domain-blocks/set-domain-block.ts'
import { createAnnouncement } from '../../domain/announcements/write-announcement.ts'
import { saveEmoji } from '../../domain/emojis/save-emoji.ts'
import { addRule, translateRule } from '../../domain/instance/rules.ts'
import { enqueueMail } from '../../domain/mails/enqueue-mail.ts'

const testServer = await openTestServer({ effects: false })
after(testServer.close)
const { ctx } = testServer
const linnet = await openCommandLine(testServer)

/** Returns the rows that a list prints as JSON, which are entities of the admin API. */
async function listEntities(entityName: Parameters<typeof assertEntity>[0], ...args: string[]): Promise<unknown[]> {
  const rows = await linnet.json<unknown[]>(...args)
  for (const row of rows) assertEntity(entityName, row)
  return rows
}

test('lists print the entities of the admin API with --json', async () => {
  await ctx.write(async (tx) => {
    const comments = { publicComment: 'Spam', privateComment: '' }
    const options = { severity: 'silence', rejectMedia: true, rejectReports: false, obfuscate: false } as const
    await setDomainBlock(tx, { domain: 'bad.test', ...options, ...comments, by: null })
    await createAnnouncement(tx, { by: null, text: 'Hello\nworld', startsAt: null, endsAt: null, allDay: false })
    await enqueueMail(tx, { key: 'a', recipient: 'ada@mail.test', subject: 'Hello', text: 'A link', html: '' })
  })
  await sql`insert into hosts (domain, consecutive_failures) values ('slow.test', 1)`.execute(ctx.db)
  await sql`insert into sent_activities (uri, status_id, body) values ('https://linnet.test/1', 900, '{}')`.execute(
    ctx.db,
  )
  await sql`insert into deliveries (activity_id, inbox_url, domain, state, attempts, last_error, next_attempt_at)
    select id, 'https://slow.test/inbox', 'slow.test', 'abandoned', 9, 'It is slow', '2030-01-01T00:00Z'
    from sent_activities`.execute(ctx.db)
  assert.equal((await listEntities('AdminDomainBlock', 'domain-blocks', 'list')).length, 1)
  assert.deepEqual(await linnet.lines('domain-blocks', 'list'), ['bad.test\tsilence\treject-media\tSpam\t-'])
  assert.equal((await listEntities('AdminAnnouncement', 'announcements', 'list')).length, 1)
  assert.match((await linnet.lines('announcements', 'list'))[0]!, /^\d+\t\S+Z\t-\tshown\tHello world$/)
  assert.equal((await listEntities('AdminDeliveryHost', 'deliveries')).length, 1)
  assert.ok((await listEntities('AdminJob', 'jobs', 'list')).length > 0)
  assert.equal((await linnet.json<{ dead: number }>('jobs')).dead, 0)
  assert.equal((await listEntities('AdminMail', 'mail', 'list')).length, 1)
  const [line = ''] = await linnet.lines('mail', 'list')
  assert.match(line, /^\d+\t\S+Z\tada@mail\.test\tHello\tqueued$/)
  const mail = await linnet.json<Record<string, string>>('mail', 'show', line.split('\t')[0]!)
  assert.deepEqual([mail['subject'], mail['text'], mail['html']], ['Hello', 'A link', undefined])
})

test('commands about one object print it with --json', async () => {
  const [delivery] = await linnet.json<{ inbox_url: string; last_error: string }[]>('deliveries', 'status', '900')
  assert.deepEqual([delivery?.inbox_url, delivery?.last_error], ['https://slow.test/inbox', 'It is slow'])
  const host = await linnet.json<{ domain: string; failed_deliveries: object[] }>('deliveries', 'host', 'slow.test')
  assert.deepEqual([host.domain, host.failed_deliveries], ['slow.test', [delivery]])
})

test('emojis, trends, rules, media and retention are printed with --json', async () => {
  const image = { create: { width: 8, height: 8, channels: 3, background: 'teal' } } as const
  const buffer = await sharp(image).png().toBuffer()
  const emoji = { shortcode: 'teal', image: { buffer }, category: null, listed: true, replaces: false }
  await saveEmoji(ctx, { by: null, ...emoji })
  assert.deepEqual(await linnet.json('emoji', 'list'), [{ shortcode: 'teal', category: null, visible_in_picker: true }])
  await sql`with tag as (insert into tags (name, display_name) values ('storm', 'Storm') returning id)
    insert into trending_tags (tag_id, peak, peaked_at, score) select id, 7.5, now(), 3.25 from tag`.execute(ctx.db)
  const [trend] = await linnet.json<Record<string, unknown>[]>('trends', 'list', 'tag')
  assert.deepEqual(Object.keys(trend!).toSorted(), ['about', 'id', 'kind', 'name', 'score', 'state'])
  await ctx.write(async (tx) => {
    const id = await addRule(tx, { by: null, text: 'Be kind', hint: '' })
    await translateRule(tx, { by: null, id, language: 'pt-BR', text: 'Seja gentil', hint: '' })
  })
  const [rule] = await linnet.json<{ translations: object }[]>('settings', 'rules', 'list')
  assert.deepEqual(rule?.translations, { 'pt-BR': { text: 'Seja gentil', hint: '' } })
  const { usage, ...cache } = await linnet.json<{ usage: Record<string, unknown>[] }>('media', 'usage')
  assert.deepEqual(cache, { cache_bytes: 0, cache_max_bytes: ctx.config.mediaCacheBytes })
  const files = usage.find(({ kind, origin }) => kind === 'emojis' && origin === 'local')
  assert.deepEqual(files, { kind: 'emojis', origin: 'local', files: 1, bytes: files?.['bytes'] })
  const removed = await linnet.json('media', 'remove', '--dry-run', '--keep-interacted')
  assert.deepEqual(removed, { dry_run: true, files: 0, bytes: 0 })
  const shown = await linnet.json<Record<string, unknown>>('settings', 'show')
  assert.equal(typeof shown['registrations'], 'string')
  assert.deepEqual(await linnet.json('settings', 'terms', 'list'), [])
  assert.deepEqual(await linnet.json('search'), { complete: true, indexed: null, total: null })
  assert.equal((await linnet.json<{ areas: object[] }>('retention')).areas.length, 4)
})

test('commands that count what they would prune, remove or fetch print it with --json', async () => {
  assert.deepEqual(await linnet.json('retention', 'run', '--dry-run'), {
    dry_run: true,
    pruned: { remote_statuses: 0, notifications: 0, status_versions: 0 },
  })
  assert.deepEqual(await linnet.json('media', 'remove-orphans', '--dry-run'), {
    dry_run: true,
    files: 0,
    bytes: 0,
    missing: [],
    missing_remote: 0,
  })
  const fetched = ['media', 'refresh', '--domain', 'far.test']
  assert.deepEqual(await linnet.json(...fetched, '--dry-run'), { dry_run: true, files: 0 })
  assert.deepEqual(await linnet.json(...fetched), { dry_run: false, fetched: 0, cached: 0, rejected: 0, failed: 0 })
})
