import { InvalidArgumentError } from 'commander'
import type { Command } from 'commander'
import { EVERYONE_ROLE_ID } from '../../domain/access/permissions.ts'
import { ROLE_IDS } from '../../domain/accounts/registration/insert-local-account.ts'
import type { RoleInput } from '../../domain/roles/check-role.ts'
import { getRole, listRoles } from '../../domain/roles/list-roles.ts'
import type { RoleRow } from '../../domain/roles/list-roles.ts'
import { parsePermissions, PERMISSION_NAMES, permissionNames } from '../../domain/roles/parse-permissions.ts'
import { createRole, deleteRole, updateRole } from '../../domain/roles/write-role.ts'
import { findNearestName } from '../../lib/find-nearest-name.ts'
import { renderAdminRole } from '../../render/admin/accounts/render-admin-role.ts'
import { CommandError } from '../command-error.ts'
import { EVERYONE, findRole } from '../input/find-role.ts'
import { allowCreatingData, requireData } from '../data-use.ts'
import { allowJson, printResult, printRows } from '../output/print-result.ts'
import type { OutputOptions } from '../output/print-result.ts'
import type { RunCommand } from '../run-command.ts'

const HELP = `
A role is given by its id or its name; "${EVERYONE}" is the base role of all users. Permissions are separated by commas:
  ${PERMISSION_NAMES.join(', ').replaceAll(/(.{1,100}), /g, '$1,\n  ')}
or they are a bit mask as a decimal number, or none. Users can manage roles, and users with roles, of a lower position.
"accounts role" gives a role to a user.`

interface WriteOptions extends OutputOptions, RoleInput {}

/** Adds `linnet roles`, which manages the roles of users. */
export function rolesCommand(program: Command, run: RunCommand): void {
  const roles = program.command('roles').description('list, create, modify and delete roles').addHelpText('after', HELP)
  allowJson(requireData(roles.command('list')))
    .description('list the roles, the highest position first: id, name, position, color, badge, permissions')
    .action((options: OutputOptions) =>
      run(async (ctx) =>
        printRows(options, { rows: (await listRoles(ctx)).map(renderAdminRole), cellsOf: cellsOfRole }),
      ),
    )
  allowValues(allowJson(allowCreatingData(roles.command('create <name>'))))
    .description('create a role and print its id')
    .addHelpText('after', HELP)
    .action((name: string, { json, ...input }: WriteOptions) =>
      run(async (ctx) => {
        const { id } = await ctx.write((tx) => createRole(tx, { by: null, ...input, name }))
        printResult({ json }, { result: renderAdminRole(await getRole(ctx, { id })), lines: [id] })
      }),
    )
  allowValues(allowJson(requireData(roles.command('modify <role>'))))
    .description('change a role; its users have the new permissions at their next request')
    .addHelpText('after', HELP)
    .option('--name <text>', 'new name')
    .option('--no-highlighted', 'do not display the role as a badge')
    .option('--no-require-2fa', 'do not require a second factor')
    .action((text: string, { json, ...input }: WriteOptions) =>
      run(async (ctx) => {
        if (Object.keys(input).length === 0) throw new CommandError('Specify at least one option')
        const { id } = await findRole(ctx, { text })
        await ctx.write((tx) => updateRole(tx, { by: null, ...input, id }))
        printResult({ json }, { result: renderAdminRole(await getRole(ctx, { id })), lines: ['OK'] })
      }),
    )
  requireData(roles.command('delete <role>'))
    .description('delete a role; its users have only the base role then')
    .action((text: string) =>
      run(async (ctx) => {
        const { id, name } = await findRole(ctx, { text })
        if (id === EVERYONE_ROLE_ID || id === ROLE_IDS.owner)
          throw new CommandError(`The role ${name || EVERYONE} cannot be deleted`)
        await ctx.write((tx) => deleteRole(tx, { by: null, id }))
        console.log('OK')
      }),
    )
}

/** Adds the options for the values of a role. */
function allowValues(command: Command): Command {
  return command
    .option('--permissions <list>', 'all permissions of the role, separated by commas', readPermissions)
    .option('--position <number>', 'position, from 0', readNumber)
    .option('--color <color>', 'color of the badge, such as #6364ff; empty: none')
    .option('--highlighted', 'display the role as a badge')
    .option('--collection-limit <number>', 'how many collections a user may own', readNumber)
    .option('--require-2fa', 'users with the role must have a second factor')
}

function cellsOfRole({ id, name, position, color, highlighted, permissions }: RoleRow) {
  const badge = highlighted ? 'badge' : null
  const label = id === EVERYONE_ROLE_ID ? EVERYONE : name
  return [id, label, position, color, badge, permissionNames(BigInt(permissions)).join(',')]
}

function readPermissions(text: string): string | string[] {
  if (text === 'none') return []
  if (/^\d+$/.test(text)) return text
  const names = text.split(/[\s,]+/).filter(Boolean)
  const unknown = names.find((name) => parsePermissions([name]) === null)
  if (unknown === undefined) return names
  const suggestion = findNearestName(unknown, PERMISSION_NAMES)
  throw new InvalidArgumentError(
    `There is no permission ${unknown}.${suggestion === null ? '' : ` Did you mean ${suggestion}?`}`,
  )
}

function readNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 0 to 999999999.')
  return Number(text)
}
