import { Option } from 'commander'
import type { Command } from 'commander'
import { listPendingUsers } from '../../../domain/accounts/registration/approve-account.ts'
import { ROLE_IDS } from '../../../domain/accounts/registration/insert-local-account.ts'
import type { Ctx } from '../../../domain/context.ts'
import { changeRole } from '../../../domain/moderation/accounts/change-role.ts'
import {
  approvePendingAccount,
  enableAccount,
  takeAccountAction,
} from '../../../domain/moderation/accounts/moderate-account.ts'
import {
  changeEmailOfUser,
  confirmEmailOfUser,
  disableTwoFactorOfUser,
  resetPasswordOfUser,
} from '../../../domain/moderation/accounts/modify-user.ts'
import { ForbiddenError, NotFoundError } from '../../../lib/errors.ts'
import { generateSecret } from '../../../lib/secrets.ts'
import { CommandError } from '../../command-error.ts'
import { requireData } from '../../data-use.ts'
import { findRole } from '../../input/find-role.ts'
import { findLocalAccountIdByName } from '../../input/find-account-id.ts'
import { readLimit } from '../../input/read-limit.ts'
import { allowDryRun, allowJson, printResult } from '../../output/print-result.ts'
import type { RunCommand } from '../../run-command.ts'

/** The pending users that one statement lists. */
const BATCH_SIZE = 100

interface ModifyOptions {
  email?: string
  confirm: boolean
  role?: string
  removeRole: boolean
  enable: boolean
  disable: boolean
  approve: boolean
  disable2fa: boolean
}

interface ApproveOptions {
  all: boolean
  number?: number
  dryRun: boolean
  json: boolean
}

/** Adds the commands of `linnet accounts` that approve and change local users. */
export function modifyAccountsCommands(accounts: Command, run: RunCommand): void {
  allowDryRun(allowJson(requireData(accounts.command('approve [name]'))))
    .description('approve a pending sign-up, or several ones, oldest first')
    .addOption(new Option('--all', 'approve all pending sign-ups').default(false).conflicts('number'))
    .option('-n, --number <number>', 'approve this number of pending sign-ups', readLimit)
    .action((name: string | undefined, options: ApproveOptions) =>
      run(async (ctx) => {
        const isBulk = options.all || options.number !== undefined
        if (isBulk === (name !== undefined)) throw new CommandError('Specify either a name, or --all or --number')
        const usernames =
          name === undefined
            ? await approveOldest(ctx, options)
            : [await approve(ctx, { name, dryRun: options.dryRun })]
        const verb = options.dryRun ? 'Would approve' : 'Approved'
        printResult(options, {
          result: { dryRun: options.dryRun, approved: usernames },
          lines: isBulk ? [...usernames, `${verb} ${usernames.length}`] : [options.dryRun ? `${verb} ${name}` : 'OK'],
        })
      }),
    )
  requireData(accounts.command('modify <name>'))
    .description('change a local user')
    .option('--email <address>', 'change the e-mail address; it gets a confirmation link unless --confirm is given')
    .option('--confirm', 'confirm the e-mail address', false)
    .option('--role <role>', 'give a role: user, moderator, admin, owner, or a role of "roles list"')
    .addOption(new Option('--remove-role', 'remove the role').default(false).conflicts('role'))
    .option('--enable', 'let a disabled user log in again', false)
    .addOption(
      new Option('--disable', 'freeze the account: the user can log in only to see strikes and to appeal')
        .default(false)
        .conflicts('enable'),
    )
    .option('--approve', 'approve a pending sign-up', false)
    .option('--disable-2fa', 'remove the authenticator app, the passkeys and the recovery codes', false)
    .action((name: string, options: ModifyOptions) => run((ctx) => modifyUser(ctx, { name, ...options })))
  requireData(accounts.command('reset-password <name>'))
    .description('set a random password and print it; sessions, tokens and push subscriptions of the user end')
    .action((name: string) =>
      run(async (ctx) => {
        const accountId = await findLocalAccountIdByName(ctx, { name })
        const password = generateSecret()
        await resetPasswordOfUser(ctx, { accountId, by: null, password })
        console.log('OK')
        console.log(`New password: ${password}`)
      }),
    )
}

async function approve(ctx: Ctx, { name, dryRun }: { name: string; dryRun: boolean }): Promise<string> {
  const accountId = await findLocalAccountIdByName(ctx, { name })
  const [pending] = await listPendingUsers(ctx, { after: String(BigInt(accountId) - 1n), limit: 1 })
  if (pending?.accountId !== accountId) throw new CommandError(`${name} has been approved already`)
  if (!dryRun) await ctx.write((tx) => approvePendingAccount(tx, { accountId, by: null }))
  return pending.username
}

/** Approves the oldest pending users, each in a transaction of its own. Returns their names. */
async function approveOldest(
  ctx: Ctx,
  { number = Number.MAX_SAFE_INTEGER, dryRun }: { number?: number; dryRun: boolean },
): Promise<string[]> {
  const usernames: string[] = []
  let after = '0'
  while (usernames.length < number) {
    const limit = Math.min(BATCH_SIZE, number - usernames.length)
    const batch = await listPendingUsers(ctx, { after, limit })
    for (const { accountId, username } of batch) {
      after = accountId
      if (!dryRun && !(await isApprovedNow(ctx, { accountId }))) continue
      usernames.push(username)
    }
    if (batch.length < limit) break
  }
  return usernames
}

/** Approves a user. Returns false if a moderator has decided in the meantime. */
async function isApprovedNow(ctx: Ctx, { accountId }: { accountId: string }): Promise<boolean> {
  try {
    await ctx.write((tx) => approvePendingAccount(tx, { accountId, by: null }))
    return true
  } catch (err) {
    if (err instanceof ForbiddenError || err instanceof NotFoundError) return false
    throw err
  }
}

async function modifyUser(ctx: Ctx, { name, ...options }: ModifyOptions & { name: string }): Promise<void> {
  const { email, confirm, role, removeRole, enable, disable } = options
  if (
    email === undefined &&
    role === undefined &&
    !removeRole &&
    ![confirm, enable, disable, options.approve, options.disable2fa].includes(true)
  )
    throw new CommandError('Specify what to change; --help lists the options')
  const roleId = role === undefined ? ROLE_IDS.user : (await findRole(ctx, { text: role })).id
  const accountId = await findLocalAccountIdByName(ctx, { name })
  const target = { accountId, by: null }
  await ctx.write(async (tx) => {
    if (email !== undefined) await changeEmailOfUser(tx, { ...target, email: email.trim(), confirm })
    else if (confirm) await confirmEmailOfUser(tx, target)
    if (role !== undefined || removeRole) await changeRole(tx, { ...target, roleId })
    if (enable) await enableAccount(tx, target)
    if (disable) await takeAccountAction(tx, { ...target, action: 'disable' })
    if (options.disable2fa) await disableTwoFactorOfUser(tx, target)
    if (options.approve)
      await approvePendingAccount(tx, target).catch((err: unknown) => {
        // As with the other options, a user who has that state already is no reason to discard the other changes.
        if (!(err instanceof ForbiddenError)) throw err
      })
  })
  console.log('OK')
}
