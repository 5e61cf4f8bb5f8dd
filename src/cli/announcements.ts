import type { Command } from 'commander'
import { listAnnouncements } from '../domain/announcements/list.ts'
import { publishAnnouncement } from '../domain/announcements/publish.ts'
import { removeAnnouncement } from '../domain/announcements/remove.ts'
import { parseMoment } from '../lib/moment.ts'
import { cleanText } from '../lib/text/cleanText.ts'
import { createsData, needsData } from './data-use.ts'
import { Halt } from './failure.ts'
import type { Run } from './open.ts'
import { readText } from './read-text.ts'

interface Options {
  file?: string
  starts?: string
  ends?: string
  allDay: boolean
}

/** `linnet announcements`: what is told to everybody here. */
export function announcementsCommand(program: Command, run: Run): void {
  const announcements = program.command('announcements').description('publish, list and remove announcements')
  createsData(announcements.command('publish [text]'))
    .description('publish an announcement with @mentions, #hashtags, :emojis: and links, and print its id')
    .option('--file <path>', 'read the text from a file')
    .option('--starts <moment>', 'start of the announced event, such as 2026-01-31 or 2026-01-31T20:00Z')
    .option('--ends <moment>', 'end of the event; the announcement is hidden afterwards')
    .option('--all-day', 'use only the dates of start and end, in UTC', false)
    .action((said: string | undefined, { file, starts, ends, allDay }: Options) =>
      run(async (ctx) => {
        if ((said === undefined) === (file === undefined)) throw new Halt('Specify either the text or --file')
        const text = said ?? (await readText(file!))
        const when = { startsAt: readMoment(starts), endsAt: readMoment(ends), allDay }
        console.log(await ctx.write((tx) => publishAnnouncement(tx, { text, ...when })))
      }),
    )
  needsData(announcements.command('list'))
    .description('list announcements, newest first: id, publication, end, state, text')
    .action(() =>
      run(async (ctx) => {
        for (const one of await listAnnouncements(ctx, { now: ctx.now() })) {
          const moments = [one.publishedAt, one.endsAt].map((at) => at?.toISOString() ?? '-')
          const text = cleanText(one.text).replaceAll(/\s+/g, ' ')
          console.log([one.id, ...moments, one.isOver ? 'over' : 'shown', text].join('\t'))
        }
      }),
    )
  needsData(announcements.command('remove <id>'))
    .description('remove an announcement and its reactions')
    .action((announcementId: string) =>
      run(async (ctx) => {
        await ctx.write((tx) => removeAnnouncement(tx, { announcementId }))
        console.log('OK')
      }),
    )
}

function readMoment(text: string | undefined): Date | null {
  if (text === undefined) return null
  const moment = parseMoment(text)
  if (!moment) throw new Halt(`"${text}" is not a valid time; use a form such as 2026-01-31 or 2026-01-31T20:00Z`)
  return moment
}
