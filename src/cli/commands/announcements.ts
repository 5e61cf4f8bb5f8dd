import type { Command } from 'commander'
import { listAnnouncements } from '../../domain/announcements/list-announcements.ts'
import { createAnnouncement } from '../../domain/announcements/write-announcement.ts'
import { removeAnnouncement } from '../../domain/announcements/remove-announcement.ts'
import { parseTimestamp } from '../../lib/time/parse-timestamp.ts'
import type { AdminAnnouncement } from '../../entities/admin/settings/admin-announcement.ts'
import { renderAdminAnnouncement } from '../../render/admin/settings/render-admin-announcement.ts'
import { allowJson, printRows } from '../output/print-result.ts'
import type { OutputOptions } from '../output/print-result.ts'
import { allowCreatingData, requireData } from '../data-use.ts'
import { explainNotFound } from '../explain-not-found.ts'
import { CommandError } from '../command-error.ts'
import type { RunCommand } from '../run-command.ts'
import { readText } from '../input/read-text.ts'

interface PublishOptions {
  file?: string
  starts?: string
  ends?: string
  allDay: boolean
}

/** Adds `linnet announcements`, which manages announcements to local users. */
export function announcementsCommand(program: Command, run: RunCommand): void {
  const announcements = program.command('announcements').description('publish, list and remove announcements')
  allowCreatingData(announcements.command('publish [text]'))
    .description('publish an announcement with @mentions, #hashtags, :emojis: and links, and print its id')
    .option('--file <path>', 'read the text from a file')
    .option('--starts <moment>', 'start of the announced event, such as 2026-01-31 or 2026-01-31T20:00Z')
    .option('--ends <moment>', 'end of the event; the announcement is hidden afterwards')
    .option('--all-day', 'use only the dates of start and end, in UTC', false)
    .action((textArgument: string | undefined, { file, starts, ends, allDay }: PublishOptions) =>
      run(async (ctx) => {
        if ((textArgument === undefined) === (file === undefined))
          throw new CommandError('Specify either the text or --file')
        const text = textArgument ?? (await readText(file!))
        const schedule = { startsAt: parseDateOption(starts), endsAt: parseDateOption(ends), allDay }
        console.log(await ctx.write((tx) => createAnnouncement(tx, { by: null, text, ...schedule })))
      }),
    )
  allowJson(requireData(announcements.command('list')))
    .description('list announcements, newest first: id, publication, end, state, text')
    .action((options: OutputOptions) =>
      run(async (ctx) => {
        const rows = (await listAnnouncements(ctx, { now: ctx.now() })).map(renderAdminAnnouncement)
        printRows(options, {
          rows,
          cellsOf: (row) => [row.id, row.published_at, row.ends_at, stateOf(row), row.text],
        })
      }),
    )
  requireData(announcements.command('remove <id>'))
    .description('remove an announcement and its reactions')
    .action((announcementId: string) =>
      run(async (ctx) => {
        await explainNotFound(
          ctx.write((tx) => removeAnnouncement(tx, { by: null, announcementId })),
          `There is no announcement ${announcementId}`,
        )
        console.log('OK')
      }),
    )
}

function stateOf({ ended, published, scheduled_at: scheduledAt }: AdminAnnouncement): string {
  if (!published) return scheduledAt === null ? 'draft' : 'scheduled'
  return ended ? 'over' : 'shown'
}

function parseDateOption(text: string | undefined): Date | null {
  if (text === undefined) return null
  const date = parseTimestamp(text)
  if (!date) throw new CommandError(`"${text}" is not a valid time; use a form such as 2026-01-31 or 2026-01-31T20:00Z`)
  return date
}
