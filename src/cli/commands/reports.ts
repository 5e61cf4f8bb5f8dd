import { Option } from 'commander'
import type { Command } from 'commander'
import { findStaff } from '../../domain/access/find-staff.ts'
import type { Ctx, Tx } from '../../domain/context.ts'
import { assignReport, reopenReport, resolveReport, unassignReport } from '../../domain/reports/handle-report.ts'
import { listReports } from '../../domain/reports/list-reports.ts'
import type { AdminReport } from '../../entities/admin/content/admin-report.ts'
import { NotFoundError } from '../../lib/errors.ts'
import { renderAdminReport, renderAdminReports } from '../../render/admin/content/render-admin-reports.ts'
import { ADMINISTRATOR } from '../administrator.ts'
import { CommandError } from '../command-error.ts'
import { requireData } from '../data-use.ts'
import { findAccountIdByHandle, findLocalAccountIdByName } from '../input/find-account-id.ts'
import { allowPages, readPages } from '../input/read-pages.ts'
import type { PageOptions } from '../input/read-pages.ts'
import { parseEntity } from '../output/parse-entity.ts'
import { allowJson, describeFacts, printResult, printRows } from '../output/print-result.ts'
import type { OutputOptions } from '../output/print-result.ts'
import type { RunCommand } from '../run-command.ts'
import { handleOf } from './accounts/list-accounts.ts'

const HELP = `
Columns: id, reported account, reporter, category, state, time, comment.`

interface ListOptions extends PageOptions, OutputOptions {
  state: 'unresolved' | 'resolved' | 'all'
  target?: string
  reporter?: string
}

const ACTIONS: readonly [
  name: string,
  description: string,
  act: (tx: Tx, input: { id: string; by: null }) => Promise<void>,
][] = [
  ['unassign', 'remove the assignment of a report', unassignReport],
  ['resolve', 'mark a report as resolved', resolveReport],
  ['reopen', 'mark a resolved report as unresolved', reopenReport],
]

/** Adds `linnet reports`, which lists and handles reports. */
export function reportsCommand(program: Command, run: RunCommand): void {
  const reports = program.command('reports').description('list, show, assign, resolve and reopen reports')
  allowPages(allowJson(requireData(reports.command('list'))))
    .description('list reports, newest first')
    .addHelpText('after', HELP)
    .addOption(
      new Option('--state <state>', 'only reports in this state')
        .choices(['unresolved', 'resolved', 'all'])
        .default('unresolved'),
    )
    .option('--target <handle>', 'only reports about this account')
    .option('--reporter <handle>', 'only reports by this account')
    .action((options: ListOptions) => run((ctx) => printReports(ctx, options)))
  allowJson(requireData(reports.command('show <id>')))
    .description('show a report with its comment, its rules and the reported posts and collections')
    .action((id: string, options: OutputOptions) =>
      run(async (ctx) => {
        const rendered = ctx.read(renderAdminReport, { id, staff: ADMINISTRATOR })
        const report = parseEntity(await orCommandError(rendered, id))
        printResult(options, { result: report, lines: describeReport(report) })
      }),
    )
  requireData(reports.command('assign <id> <name>'))
    .description('assign a report to a local user who may manage reports')
    .action((id: string, name: string) =>
      run(async (ctx) => {
        const assigneeId = await findLocalAccountIdByName(ctx, { name })
        const staff = await findStaff(ctx, { permission: 'manageReports' })
        if (staff.every(({ accountId }) => accountId !== assigneeId))
          throw new CommandError(`${name} may not manage reports`)
        await orCommandError(
          ctx.write((tx) => assignReport(tx, { id, by: null, assigneeId })),
          id,
        )
        console.log('OK')
      }),
    )
  for (const [name, description, act] of ACTIONS) {
    requireData(reports.command(`${name} <id>`))
      .description(description)
      .action((id: string) =>
        run(async (ctx) => {
          await orCommandError(
            ctx.write((tx) => act(tx, { id, by: null })),
            id,
          )
          console.log('OK')
        }),
      )
  }
}

async function orCommandError<T>(work: Promise<T>, id: string): Promise<T> {
  try {
    return await work
  } catch (err) {
    throw err instanceof NotFoundError ? new CommandError(`There is no report ${id}`) : err
  }
}

async function printReports(ctx: Ctx, options: ListOptions): Promise<void> {
  const { state, target, reporter } = options
  const filters = {
    resolved: state !== 'unresolved',
    unresolved: state !== 'resolved',
    targetAccountId: target === undefined ? null : await findAccountIdByHandle(ctx, { handle: target }),
    accountId: reporter === undefined ? null : await findAccountIdByHandle(ctx, { handle: reporter }),
    assignedAccountId: null,
  }
  const rows = await readPages(options, async (page) => {
    const ids = await listReports(ctx, { filters, page })
    const rendered = await ctx.read(renderAdminReports, { ids, staff: ADMINISTRATOR })
    return { ids, rows: rendered.map((json) => parseEntity(json)) }
  })
  printRows(options, {
    rows,
    cellsOf: (report) => [
      report.id,
      handleOf(report.target_account),
      handleOf(report.account),
      report.category,
      stateOf(report),
      report.created_at,
      report.comment,
    ],
  })
}

function stateOf(report: AdminReport): string {
  const { action_taken: isResolved, action_taken_at: resolvedAt, action_taken_by_account: resolver } = report
  if (isResolved) return `resolved at ${resolvedAt} by ${resolver ? handleOf(resolver) : 'the command line'}`
  return report.assigned_account ? `assigned to ${handleOf(report.assigned_account)}` : 'unassigned'
}

function describeReport(report: AdminReport): string[] {
  return describeFacts([
    ['id', report.id],
    ['account', handleOf(report.target_account)],
    ['reporter', handleOf(report.account)],
    ['category', report.category],
    ['state', stateOf(report)],
    ['created', report.created_at],
    ['comment', report.comment],
    ['forwarded', report.forwarded === true ? 'yes' : 'no'],
    ...report.rules.map(({ id, text }) => ['rule', `${id}  ${text}`] as const),
    ...report.statuses.map(({ id, url, uri }) => ['post', `${id}  ${url ?? uri}`] as const),
    ...report.collections.map(({ id, url }) => ['collection', `${id}  ${url}`] as const),
  ])
}
