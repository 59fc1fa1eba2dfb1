#!/usr/bin/env node
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Installs the packages that package-lock.json asks for when some are missing, and does nothing when none is. It runs
// before npm start and npm test, so it may need nothing that an install would bring.

const ownRoot = dirname(dirname(fileURLToPath(import.meta.url)));
/** Set for the install itself: a script of a package that came back here would never end. */
const marker = 'ENDSTOP_INSTALLING';
const oldestNode = [20, 19];

/**
 * @param {{ root?: string, run?: typeof spawnSync }} [options]
 * @returns {number} exit code: 0 when everything is there by the end
 */
export function install({ root = ownRoot, run = spawnSync } = {}) {
  const complaint = nodeComplaint();
  if (complaint !== undefined) return fail(complaint);
  if (process.env[marker] !== undefined) return 0;
  if (missingPackages(root).length === 0) return 0;
  process.stderr.write(
    'Installing the packages of package-lock.json (npm ci); this takes about a minute, once.\n',
  );
  const [command, ...args] = npmCommand();
  const npm = run(
    command,
    [...args, 'ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: root,
      // npm's own messages are no output of ours: whoever reads our output as data must not meet them.
      stdio: ['inherit', process.stderr, process.stderr],
      env: { ...process.env, [marker]: '1' },
    },
  );
  if (npm.error) return fail(`npm could not be started (${npm.error.code}); run npm ci in ${root} yourself.`);
  if (npm.status !== 0) return fail(`npm ci failed; its messages stand above. Run it again in ${root}.`);
  const missing = missingPackages(root);
  if (missing.length === 0) return 0;
  return fail(
    `npm ci ran, and ${missing[0]} is still not installed; remove node_modules and run npm ci in ${root}.`,
  );
}

/**
 * The packages of the lock file that are not installed in the version it asks for. npm keeps its own account of what it
 * installed, in `node_modules/.package-lock.json`; the folders are looked at as well. An optional package may be absent:
 * it belongs to another platform, or could not be built.
 *
 * @param {string} root
 * @returns {string[]} their places, such as `node_modules/zod`
 */
export function missingPackages(root) {
  const wanted = readPackages(join(root, 'package-lock.json'));
  const installed = readPackages(join(root, 'node_modules', '.package-lock.json'));
  return Object.entries(wanted)
    .filter(([place, entry]) => {
      if (place === '' || entry.link) return false;
      const found = installed[place];
      if (found === undefined) return !entry.optional;
      return found.version !== entry.version || !existsSync(join(root, place, 'package.json'));
    })
    .map(([place]) => place);
}

function readPackages(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages ?? {};
  } catch {
    return {};
  }
}

/** The npm that started us, when one did; else the one on PATH. */
function npmCommand() {
  const path = process.env.npm_execpath;
  return path?.endsWith('npm-cli.js') && existsSync(path) ? [process.execPath, path] : ['npm'];
}

/**
 * @param {string} [version]
 * @returns {string | undefined} what to say when this Node is too old
 */
export function nodeComplaint(version = process.versions.node) {
  const [major, minor] = version.split('.').map(Number);
  if (major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])) return undefined;
  return `Endstop needs Node ${oldestNode.join('.')} or newer, and this is Node ${version}.`;
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  return 1;
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  process.exitCode = install();
}
