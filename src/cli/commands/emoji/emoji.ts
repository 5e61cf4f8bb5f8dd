import { open, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Command } from 'commander'
import type { Ctx } from '../../../domain/context.ts'
import { saveEmoji } from '../../../domain/emojis/save-emoji.ts'
import { listEmojis } from '../../../domain/emojis/list-emojis.ts'
import type { OwnEmoji } from '../../../domain/emojis/list-emojis.ts'
import { removeEmoji } from '../../../domain/emojis/remove-emoji.ts'
import { RequestError } from '../../../lib/errors.ts'
import { TAR_END, writeTarFile } from '../../../lib/tar.ts'
import { cleanText } from '../../../lib/text/clean-text.ts'
import { allowCreatingData, requireData } from '../../data-use.ts'
import { allowJson, printRows } from '../../output/print-result.ts'
import type { OutputOptions } from '../../output/print-result.ts'
import { readEmojiFiles } from './read-emoji-files.ts'
import type { EmojiFile } from './read-emoji-files.ts'
import { CommandError } from '../../command-error.ts'
import type { RunCommand } from '../../run-command.ts'

interface ImportOptions {
  category?: string
  prefix: string
  suffix: string
  overwrite: boolean
  unlisted: boolean
}

const HELP = `
The file name without extension is the shortcode: 2 to 128 letters a–z, digits and underscores. The extension is png, gif
or webp, the size less than 256 KB. The folder of a file is its category unless --category is given.`

/** Progress is printed after this number of images. */
const PROGRESS_INTERVAL = 100

/** Adds `linnet emoji`, which manages the custom emojis of this server. */
export function emojiCommand(program: Command, run: RunCommand): void {
  const emoji = program.command('emoji').description('add, list, export and remove custom emojis')
  allowCreatingData(emoji.command('import <path>'))
    .description('import images from a folder or a tar.gz archive as emojis')
    .addHelpText('after', HELP)
    .option('--category <name>', 'category of the emojis')
    .option('--prefix <text>', 'prefix of the shortcodes', '')
    .option('--suffix <text>', 'suffix of the shortcodes', '')
    .option('--overwrite', 'replace existing emojis', false)
    .option('--unlisted', 'hide the emojis in pickers', false)
    .action((path: string, options: ImportOptions) =>
      run(async (ctx) => {
        const counts = { added: 0, replaced: 0, unchanged: 0, refused: 0 }
        let processed = 0
        for await (const file of readEmojiFiles(path)) {
          counts[await importEmoji(ctx, { file, options })] += 1
          processed += 1
          if (processed % PROGRESS_INTERVAL === 0) console.error(`${processed} images`)
        }
        const { added, replaced, unchanged, refused: failed } = counts
        if (processed === 0) throw new CommandError(`There are no images in ${path}`)
        console.log(`Added ${added}, replaced ${replaced}, skipped ${unchanged} existing`)
        if (failed > 0) throw new CommandError(failed === 1 ? '1 image was rejected' : `${failed} images were rejected`)
      }),
    )
  requireData(emoji.command('export <file>'))
    .description('export emojis to a tar.gz archive with a folder per category')
    .option('--category <name>', 'only emojis of this category')
    .action((file: string, { category }: { category?: string }) =>
      run(async (ctx) => {
        const emojis = await listEmojisOf(ctx, category)
        await writeArchive(ctx, { file, emojis })
        console.log(emojis.length === 1 ? '1 emoji' : `${emojis.length} emojis`)
      }),
    )
  allowJson(requireData(emoji.command('list')))
    .description('list emojis: shortcode, category, visibility in pickers')
    .option('--category <name>', 'only emojis of this category')
    .action(({ category: selected, json }: OutputOptions & { category?: string }) =>
      run(async (ctx) => {
        const rows = (await listEmojisOf(ctx, selected)).map(({ shortcode, category, visible_in_picker: listed }) => ({
          shortcode,
          category,
          visibleInPicker: listed,
        }))
        printRows(
          { json },
          {
            rows,
            cellsOf: ({ shortcode, category, visibleInPicker }) => [
              `:${shortcode}:`,
              category,
              visibleInPicker ? 'listed' : 'unlisted',
            ],
          },
        )
      }),
    )
  requireData(emoji.command('remove <code...>'))
    .description('remove emojis; texts show their shortcodes again')
    .action((codes: string[]) =>
      run(async (ctx) => {
        await ctx.write(async (tx) => {
          for (const code of codes) await removeEmoji(tx, { by: null, shortcode: code.replace(/^:(.*):$/, '$1') })
        })
        console.log('OK')
      }),
    )
}

async function importEmoji(
  ctx: Ctx,
  { file, options }: { file: EmojiFile; options: ImportOptions },
): Promise<'added' | 'replaced' | 'unchanged' | 'refused'> {
  const { name, folder, bytes } = file
  const shortcode = options.prefix + name + options.suffix
  try {
    if (bytes === null) throw new CommandError('has 256 KB or more')
    const saved = await saveEmoji(ctx, {
      by: null,
      shortcode,
      image: { buffer: bytes },
      category: options.category ?? folder,
      listed: !options.unlisted,
      replaces: options.overwrite,
    })
    return saved.outcome
  } catch (err) {
    // An invalid image does not stop the import; a full disk does.
    if (!(err instanceof CommandError || (err instanceof RequestError && err.status === 422))) throw err
    // Removes control characters: a name may contain anything, but must not control the terminal.
    console.error(`"${cleanText(shortcode).replace(/\s+/g, ' ')}": ${err.message}`)
    return 'refused'
  }
}

async function listEmojisOf(ctx: Ctx, category: string | undefined): Promise<OwnEmoji[]> {
  const emojis = await listEmojis(ctx)
  return emojis.filter((emoji) => category === undefined || emoji.category === category)
}

async function writeArchive(ctx: Ctx, { file, emojis }: { file: string; emojis: OwnEmoji[] }): Promise<void> {
  // Never overwrites an existing file.
  const target = await open(file, 'wx').catch((err: NodeJS.ErrnoException) => {
    throw new CommandError(err.code === 'EEXIST' ? `The file ${file} already exists` : `${file}: ${err.message}`)
  })
  try {
    await pipeline(Readable.from(createArchive(ctx, emojis)), createGzip(), target.createWriteStream())
  } catch (err) {
    await rm(file, { force: true })
    throw err
  }
}

async function* createArchive(ctx: Ctx, emojis: OwnEmoji[]): AsyncGenerator<Buffer> {
  for (const { shortcode, image_key: key, category } of emojis) {
    const stored = await ctx.storage.open({ key })
    if (!stored) throw new CommandError(`The image of :${shortcode}: is missing`)
    const bytes = await buffer(stored.stream)
    const extension = key.slice(key.lastIndexOf('.'))
    yield writeTarFile({ name: archivePath(category, shortcode + extension), bytes, modifiedAt: stored.lastModified })
  }
  yield TAR_END
}

/** Returns the path of an emoji in the archive. Omits a category that is not a valid folder name. */
function archivePath(category: string | null, name: string): string {
  const folder = category?.replace(/[/\\]/g, '-') ?? ''
  return /^\.*$/.test(folder) ? name : `${folder}/${name}`
}
