import { open, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Command } from 'commander'
import type { Ctx } from '../domain/context.ts'
import { keepEmoji } from '../domain/emojis/keep.ts'
import { listEmojis } from '../domain/emojis/list.ts'
import type { OwnEmoji } from '../domain/emojis/list.ts'
import { removeEmoji } from '../domain/emojis/remove.ts'
import { Refusal } from '../lib/errors.ts'
import { TAR_END, tarFile } from '../lib/tar.ts'
import { cleanText } from '../lib/text/cleanText.ts'
import { createsData, needsData } from './data-use.ts'
import { readEmojiFiles } from './emoji-files.ts'
import type { EmojiFile } from './emoji-files.ts'
import { Halt } from './failure.ts'
import type { Run } from './open.ts'

interface ImportOptions {
  category?: string
  prefix: string
  suffix: string
  overwrite: boolean
  unlisted: boolean
}

const EXPLANATION = `
The file name without extension is the shortcode: 2 to 128 letters a–z, digits and underscores. The extension is png, gif
or webp, the size less than 256 KB. The folder of a file is its category unless --category is given.`

/** Told after so many. */
const PROGRESS = 100

/** `linnet emoji`: the custom emojis of this server. */
export function emojiCommand(program: Command, run: Run): void {
  const emoji = program.command('emoji').description('add, list, export and remove custom emojis')
  createsData(emoji.command('import <path>'))
    .description('import images from a folder or a tar.gz archive as emojis')
    .addHelpText('after', EXPLANATION)
    .option('--category <name>', 'category of the emojis')
    .option('--prefix <text>', 'prefix of the shortcodes', '')
    .option('--suffix <text>', 'suffix of the shortcodes', '')
    .option('--overwrite', 'replace existing emojis', false)
    .option('--unlisted', 'hide the emojis in pickers', false)
    .action((path: string, options: ImportOptions) =>
      run(async (ctx) => {
        const counts = { added: 0, replaced: 0, known: 0, refused: 0 }
        let done = 0
        for await (const file of readEmojiFiles(path)) {
          counts[await importOne(ctx, { file, options })] += 1
          done += 1
          if (done % PROGRESS === 0) console.error(`${done} images`)
        }
        const { added, replaced, known, refused } = counts
        if (done === 0) throw new Halt(`There are no images in ${path}`)
        console.log(`Added ${added}, replaced ${replaced}, skipped ${known} existing`)
        if (refused > 0) throw new Halt(refused === 1 ? '1 image was rejected' : `${refused} images were rejected`)
      }),
    )
  needsData(emoji.command('export <file>'))
    .description('export emojis to a tar.gz archive with a folder per category')
    .option('--category <name>', 'only emojis of this category')
    .action((file: string, { category }: { category?: string }) =>
      run(async (ctx) => {
        const emojis = await listOf(ctx, category)
        await writeArchive(ctx, { file, emojis })
        console.log(emojis.length === 1 ? '1 emoji' : `${emojis.length} emojis`)
      }),
    )
  needsData(emoji.command('list'))
    .description('list emojis: shortcode, category, visibility in pickers')
    .option('--category <name>', 'only emojis of this category')
    .action(({ category }: { category?: string }) =>
      run(async (ctx) => {
        for (const { shortcode, category: found, visible_in_picker } of await listOf(ctx, category)) {
          console.log([`:${shortcode}:`, found ?? '-', visible_in_picker ? 'listed' : 'unlisted'].join('\t'))
        }
      }),
    )
  needsData(emoji.command('remove <code...>'))
    .description('remove emojis; texts show their shortcodes again')
    .action((codes: string[]) =>
      run(async (ctx) => {
        await ctx.write(async (tx) => {
          for (const code of codes) await removeEmoji(tx, { shortcode: code.replace(/^:(.*):$/, '$1') })
        })
        console.log('OK')
      }),
    )
}

async function importOne(
  ctx: Ctx,
  { file, options }: { file: EmojiFile; options: ImportOptions },
): Promise<'added' | 'replaced' | 'known' | 'refused'> {
  const { name, folder, bytes } = file
  const shortcode = options.prefix + name + options.suffix
  try {
    if (bytes === null) throw new Halt('has 256 KB or more')
    return await keepEmoji(ctx, {
      shortcode,
      picture: { buffer: bytes },
      category: options.category ?? folder,
      listed: !options.unlisted,
      replaces: options.overwrite,
    })
  } catch (err) {
    // One bad picture does not keep the others out; a full disk does.
    if (!(err instanceof Halt || (err instanceof Refusal && err.status === 422))) throw err
    // A name may hold anything, which must not drive the terminal.
    console.error(`"${cleanText(shortcode).replace(/\s+/g, ' ')}": ${err.message}`)
    return 'refused'
  }
}

async function listOf(ctx: Ctx, category: string | undefined): Promise<OwnEmoji[]> {
  const emojis = await listEmojis(ctx)
  return emojis.filter((one) => category === undefined || one.category === category)
}

async function writeArchive(ctx: Ctx, { file, emojis }: { file: string; emojis: OwnEmoji[] }): Promise<void> {
  // A file that is there is somebody's.
  const target = await open(file, 'wx').catch((err: NodeJS.ErrnoException) => {
    throw new Halt(err.code === 'EEXIST' ? `The file ${file} already exists` : `${file}: ${err.message}`)
  })
  try {
    await pipeline(Readable.from(archiveOf(ctx, emojis)), createGzip(), target.createWriteStream())
  } catch (err) {
    await rm(file, { force: true })
    throw err
  }
}

async function* archiveOf(ctx: Ctx, emojis: OwnEmoji[]): AsyncGenerator<Buffer> {
  for (const { shortcode, image_key: key, category } of emojis) {
    const stored = await ctx.storage.open({ key })
    if (!stored) throw new Halt(`The image of :${shortcode}: is missing`)
    const bytes = await buffer(stored.stream)
    const ending = key.slice(key.lastIndexOf('.'))
    yield tarFile({ name: nameIn(category, shortcode + ending), bytes, modifiedAt: stored.lastModified })
  }
  yield TAR_END
}

/** A category that can't name a folder is left out. */
function nameIn(category: string | null, name: string): string {
  const folder = category?.replace(/[/\\]/g, '-') ?? ''
  return /^\.*$/.test(folder) ? name : `${folder}/${name}`
}
