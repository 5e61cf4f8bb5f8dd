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
  const announcements = program.command('announcements').description('tell everybody here something')
  createsData(announcements.command('publish [text]'))
    .description('tell something now; @names, #hashtags, :emojis: and links count. Prints its id')
    .option('--file <path>', 'take the text from a file')
    .option('--starts <moment>', 'when it takes place, such as 2026-01-31 or 2026-01-31T20:00Z')
    .option('--ends <moment>', 'when it is over, and no longer shown')
    .option('--all-day', 'only the days of the two count, in UTC', false)
    .action((said: string | undefined, { file, starts, ends, allDay }: Options) =>
      run(async (ctx) => {
        if ((said === undefined) === (file === undefined)) throw new Halt('Say the text, or --file')
        const text = said ?? (await readText(file!))
        const when = { startsAt: readMoment(starts), endsAt: readMoment(ends), allDay }
        console.log(await ctx.write((tx) => publishAnnouncement(tx, { text, ...when })))
      }),
    )
  needsData(announcements.command('list'))
    .description('list announcements, the newest first: id, since when, until when, whether it is over, text')
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
    .description('take an announcement away, with the reactions to it')
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
  if (!moment) throw new Halt(`"${text}" is no moment, such as 2026-01-31 or 2026-01-31T20:00Z`)
  return moment
}
