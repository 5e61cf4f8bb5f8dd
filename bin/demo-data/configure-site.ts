import type { Ctx } from '../../src/domain/context.ts'
import { addRule } from '../../src/domain/instance/rules.ts'
import { changeSetting } from '../../src/domain/instance/instance-settings.ts'
import type { SettingName } from '../../src/domain/instance/setting-definitions.ts'

const SETTINGS: Readonly<Partial<Record<SettingName, string>>> = {
  title: 'Lantern Quay',
  description:
    'A small server for a harbour town that does not exist: bakers, star watchers, lighthouse keepers and one sourdough. Everybody here is made up; you are welcome all the same.',
  'extended-description': `## Who lives here

Some thirty people who write in more than twenty languages. They bake, repair clocks, steer boats and look at the sky, and they answer each other.

## What this server is for

It shows what Linnet looks like when it is full. **Nothing here is real**: names, places and links are made up, and every picture was drawn by the program.`,
  'trends-unreviewed': 'on',
}

const RULES: readonly { text: string; hint: string }[] = [
  { text: 'Be kind to strangers.', hint: 'Everybody was one. Disagree with what they say, not with them.' },
  { text: 'Describe your pictures.', hint: 'Not everybody sees them. One good sentence is enough.' },
  { text: 'Put spiders behind a warning.', hint: 'The same holds for the ends of novels.' },
  { text: 'No advertising, except for bread.', hint: '' },
]

/** Sets the title, the description and the rules of the server, and shows its trends without a review. */
export async function configureSite(ctx: Ctx, { contact }: { contact: string }): Promise<void> {
  await ctx.write(async (tx) => {
    const settings = { ...SETTINGS, 'contact-account': contact }
    for (const [name, text] of Object.entries(settings))
      await changeSetting(tx, { by: null, name: name as SettingName, text })
    for (const rule of RULES) await addRule(tx, { by: null, ...rule })
  })
}
