import { InvalidArgumentError, Option } from 'commander'
import type { Command } from 'commander'
import { ACCOUNT_STATUSES, filterAccounts } from '../../../domain/accounts/lookup/filter-accounts.ts'
import type { AccountFilters } from '../../../domain/accounts/lookup/filter-accounts.ts'
import type { Ctx } from '../../../domain/context.ts'
import { listAccountWarnings } from '../../../domain/moderation/strikes/list-account-warnings.ts'
import type { AccountWarning } from '../../../domain/moderation/strikes/list-account-warnings.ts'
import type { AdminAccount } from '../../../entities/admin/accounts/admin-account.ts'
import { parseIpRange } from '../../../lib/http/parse-ip-range.ts'
import type { IpRange } from '../../../lib/http/parse-ip-range.ts'
import { renderAdminAccount, renderAdminAccounts } from '../../../render/admin/accounts/render-admin-accounts.ts'
import { ADMINISTRATOR } from '../../administrator.ts'
import { requireData } from '../../data-use.ts'
import { findAccountIdByHandle } from '../../input/find-account-id.ts'
import { findRole } from '../../input/find-role.ts'
import { readDomain } from '../../input/read-domain.ts'
import { allowPages, readPages } from '../../input/read-pages.ts'
import type { PageOptions } from '../../input/read-pages.ts'
import { parseEntity } from '../../output/parse-entity.ts'
import { allowJson, describeFacts, printResult, printRows } from '../../output/print-result.ts'
import type { RunCommand } from '../../run-command.ts'

/** The warnings that `show` prints. */
const MAX_WARNINGS = 100

const LIST_HELP = `
Columns: id, handle, e-mail address, role, states, time of the creation or of the first contact. States: active, or
unconfirmed, pending, disabled, sensitive, limited, suspended, memorial. Texts are compared from their beginning, in any case.`

interface ListOptions extends PageOptions {
  origin?: 'local' | 'remote'
  status?: (typeof ACCOUNT_STATUSES)[number]
  domain?: string
  username?: string
  displayName?: string
  email?: string
  ip?: IpRange
  invitedBy?: string
  role?: string
  staff: boolean
  json: boolean
}

/** Adds `linnet accounts list` and `linnet accounts show`. */
export function listAccountsCommands(accounts: Command, run: RunCommand): void {
  allowPages(allowJson(requireData(accounts.command('list'))))
    .description('list accounts, newest first')
    .addHelpText('after', LIST_HELP)
    .addOption(new Option('--origin <origin>', 'only local or only remote accounts').choices(['local', 'remote']))
    .addOption(new Option('--status <status>', 'only accounts in this state').choices(ACCOUNT_STATUSES))
    .option('--domain <domain>', 'only accounts of this domain, without its subdomains', readDomain)
    .option('--username <text>', 'beginning of the username')
    .option('--display-name <text>', 'beginning of the display name')
    .option('--email <text>', 'beginning of the e-mail address')
    .option('--ip <range>', 'IP address or CIDR range of a sign-up or a session', readIpRange)
    .option('--role <role>', 'only users with this role: user, moderator, admin, owner, or a role of "roles list"')
    .option('--invited-by <name>', 'only users who signed up with an invite of this user')
    .addOption(new Option('--staff', 'only users who may manage reports').default(false).conflicts('role'))
    .action((options: ListOptions) => run((ctx) => listAccounts(ctx, options)))
  allowJson(requireData(accounts.command('show <handle>')))
    .description('show a local or remote account: states, role, e-mail address, sign-ins, counts and warnings')
    .action((handle: string, options: { json: boolean }) =>
      run(async (ctx) => {
        const id = await findAccountIdByHandle(ctx, { handle })
        const account = parseEntity(await ctx.read(renderAdminAccount, { id, staff: ADMINISTRATOR }))
        const warnings = await listAccountWarnings(ctx, { accountId: id, limit: MAX_WARNINGS })
        printResult(options, { result: { ...account, warnings }, lines: describeAccount(account, warnings) })
      }),
    )
}

async function findRoleIds(ctx: Ctx, { role }: ListOptions): Promise<string[] | null> {
  return role === undefined ? null : [(await findRole(ctx, { text: role })).id]
}

async function listAccounts(ctx: Ctx, options: ListOptions): Promise<void> {
  const filters: AccountFilters = {
    origin: options.origin ?? null,
    status: options.status ?? null,
    domain: options.domain ?? null,
    username: options.username ?? null,
    displayName: options.displayName ?? null,
    email: options.email ?? null,
    ip: options.ip ?? null,
    invitedBy: options.invitedBy === undefined ? null : await findAccountIdByHandle(ctx, { handle: options.invitedBy }),
    roleIds: options.staff ? 'staff' : await findRoleIds(ctx, options),
  }
  const rows = await readPages(options, async (page) => {
    const ids = await filterAccounts(ctx, { filters, page })
    const accounts = await ctx.read(renderAdminAccounts, { ids, staff: ADMINISTRATOR })
    return { ids, rows: accounts.map((json) => parseEntity(json)) }
  })
  printRows(options, { rows, cellsOf: cellsOfAccount })
}

function cellsOfAccount(account: AdminAccount) {
  const { id, email, role, created_at: createdAt } = account
  return [id, handleOf(account), email, role?.name || (role && 'user'), statesOf(account).join(','), createdAt]
}

export function handleOf({ username, domain }: Pick<AdminAccount, 'username' | 'domain'>): string {
  return domain === null ? username : `${username}@${domain}`
}

function statesOf(account: AdminAccount): string[] {
  const states = [
    account.confirmed === false && 'unconfirmed',
    account.approved === false && 'pending',
    account.disabled === true && 'disabled',
    account.sensitized && 'sensitive',
    account.silenced && 'limited',
    account.suspended && 'suspended',
    account.account.memorial === true && 'memorial',
  ].filter((state) => state !== false)
  return states.length === 0 ? ['active'] : states
}

function describeAccount(account: AdminAccount, warnings: readonly AccountWarning[]): string[] {
  const { account: profile, role } = account
  const isLocal = account.domain === null
  return describeFacts([
    ['id', account.id],
    ['handle', handleOf(account)],
    ['profile', profile.url],
    ['display name', profile.display_name],
    ['states', statesOf(account).join(', ')],
    ['created', account.created_at],
    ...(isLocal
      ? ([
          ['role', role?.name || 'user'],
          ['e-mail', account.email],
          ['language', account.locale],
          ['sign-up text', account.invite_request],
        ] as const)
      : []),
    ['posts', profile.statuses_count],
    ['following', profile.following_count],
    ['followers', profile.followers_count],
    ['last post', profile.last_status_at],
    ...(profile.moved ? [['moved to', profile.moved.acct] as const] : []),
    ...account.ips.map(({ ip, used_at: usedAt }) => ['sign-in', `${usedAt}  ${ip}`] as const),
    ...warnings.map(({ createdAt, action, moderator, text }) => {
      const facts = [createdAt.toISOString(), action, `by ${moderator ?? 'the command line'}`, text]
      return ['warning', facts.join('  ')] as const
    }),
  ])
}

function readIpRange(text: string): IpRange {
  const range = parseIpRange(text)
  if (range === null) throw new InvalidArgumentError('It must be an IP address or a CIDR range.')
  return range
}
