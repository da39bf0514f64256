/** Builds the app (`client/app`) into `dist`, from where the server serves it. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, defineConfig, type Plugin, type Rollup } from 'vite';
import { appPageOf, appPages } from './shared/protocol/app-paths.ts';
import { modernBuildResolution } from './tools/browser-builds.ts';
import { compressedFiles } from './tools/compressed-files.ts';

const root = fileURLToPath(new URL('client/app', import.meta.url));
const publicDir = fileURLToPath(new URL('client/app/public', import.meta.url));
const serviceWorkerSource = fileURLToPath(new URL('client/app/shell/service-worker/worker.ts', import.meta.url));

export default defineConfig({
  root,
  publicDir,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  resolve: modernBuildResolution,
  plugins: [pagePaths(), logoInPage(), serviceWorker(), compressedFiles()],
  build: {
    outDir: fileURLToPath(new URL('dist', import.meta.url)),
    emptyOutDir: true,
    // Vite's polyfill is an inline script, which the Content Security Policy forbids.
    modulePreload: {
      polyfill: false,
      // Leaves out the files that each page has already loaded when a script imports others.
      resolveDependencies: (_file, deps, { hostType }) =>
        hostType === 'js' ? deps.filter((name) => !/\/(?:app|rolldown-runtime)-/.test(name)) : deps,
    },
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: Object.keys(appPages).map((page) => join(root, page)),
      // HPKE imports Node's `crypto` only where there is no global WebCrypto, and each browser has one.
      external: ['crypto'],
      // Without this, the start would include code that client.ts only exports again, such as the relay's.
      treeshake: {
        moduleSideEffects: [
          { test: /\/client\/(?:client|carrier|hand-over|entries\/devtools)\.ts$/, sideEffects: false },
        ],
      },
      output: {
        codeSplitting: {
          groups: [
            // All pages load these modules at their start. One file of them is smaller than several.
            { name: 'app', test: isNeededAtStart },
            ...textGroups(['en', 'de']),
            {
              name: 'dialog',
              test: /\/ui\/(?:dialog|kept-texts|named-text)|\/shell\/time\.ts|\/work-type-patterns|\/value-stream\/(?:segments|work-type-lines)/,
            },
            // The phone and the desk both load these screens at their start.
            { name: 'screens', test: /\/client\/app\/(?:phone|text\/(?:\w\w\/)?phone).*\.tsx?$/, minShareCount: 2 },
            { name: 'qr', test: /node_modules\/uqr\// },
            { name: 'qr-decoder', test: /node_modules\/qr\// },
            {
              name: 'updates',
              test: /\/client\/app\/(?:shell\/(?:updates|background-sync|earlier-stages)|update-offer|text\/(?:\w\w\/)?update)/,
            },
            {
              name: 'pairing',
              test: /\/client\/app\/(?:text\/pairing|pairing\/(?:pair-screen|join-question|device-name|failure-text|unsent))/,
            },
            {
              name: 'sync',
              test: /\/client\/(?:sync\/(?!net\/(?:read-events|account-requests|parse-account|body-forms|push-forms|compress-body|pages\/|runs-request)|scope\/(?:other|load|drop|needed|shown-runs|runs-on|run-totals|latest|fetch)|cycle\/(?:lost-run|effects\/(?:verify|own)|failure\/(?:content|failure-counts)|push-forwarded))|devices\/load-|open-sync)/,
            },
            { name: 'account', test: /\/devices\/device-verbs|\/sync\/net\/(?:account-requests|parse-account)/ },
            {
              name: 'body-forms',
              test: /\/sync\/net\/(?:body-forms|push-forms|compress-body|pages\/)|\/shared\/(?:brief\/|packed\/|protocol\/(?:effects\.ts|device-report))/,
            },
            { name: 'events', test: /\/sync\/net\/read-events|eventsource-parser/ },
            {
              name: 'transfer',
              test: /\/client\/(?:transfer|import-recording|app\/shell\/devtools\/devtools-setting|outbox\/(?:attention\/|model\/(?:sequence\/(?:importing|fork)|dependents\/returned-runs))|recording\/(?:taps\/edit-taps|cycles|custody|transfer-drafts|earlier-recording)|photos\/(?:find-references|has-photos|photo-folder)|sync\/(?:scope\/(?:other|load|drop|needed|shown-runs|runs-on|run-totals|latest|fetch)|net\/runs-request)|sync\/cycle\/(?:lost-run|effects\/(?:verify|own)|failure\/(?:content|failure-counts)|push-forwarded))|protocol\/(?:effects-text|record-versions)|schema\/photos\/photo-id/,
            },
            {
              name: 'photos',
              test: /\/client\/(?:open-photos|photos\/(?!find-references|has-photos|photo-folder)|recording\/taps\/take-photo|generated\/photo-row)|\/rxjs\/.*\/(?:fromEvent|never|exhaustMap|scan|scanInternals|takeWhile)\.js/,
            },
            { name: 'recovery', test: /\/migration\/migrate\.ts|\/journal\/(?:restore-rows|recovery|diverged)/ },
            { name: 'groups', test: /\/recorder\/(?:groups|map-letters|step-suggestions|undo-with-toast)/ },
            { name: 'given-storage', test: /rx-row-store|\/row-schemas|\/storage\/supplied\/|\/core\/platform/ },
            {
              name: 'mutation-validators',
              test: /generated\/mutation-validators|core\/sendable|schema\/instant|protocol\/value-count/,
            },
            // This file loads each of the next groups on demand, so it also has the modules that several of them need.
            { name: 'figures', test: /\/client\/figures-on-demand|\/shared\/export\/(?:formula-guard|xml-text)/ },
            { name: 'xlsx', test: /\/shared\/export\/xlsx|node_modules\/fflate\// },
            { name: 'import', test: /\/shared\/import\/|\/schema\/integration\/import-limits|\/client\/import-steps/ },
            { name: 'drawing', test: /\/shared\/value-stream\/(?!work-type-marks)|\/client\/draw-value-stream/ },
            {
              name: 'export',
              test: /\/shared\/export\/|\/client\/export-runs|\/interchange\/export-limits/,
            },
            { name: 'compare', test: /\/(?:domain\/study\/|generated\/compare|client\/compare-runs)/ },
            // These groups come last: a group also takes those imports of its modules that no earlier group has taken.
            {
              name: 'sealing',
              test: /node_modules\/@hpke\/|\/attached-hand-over|\/client\/(?:hand-over\.ts|hand-over\/|open-hand-over)|\/shared\/relay\/(?:sealing|key|binary|base32)/,
            },
            {
              name: 'peer',
              test: /\/client\/relay\/(?:peer-channel|data-channel|session-description)|\/shared\/relay\/session-codes/,
            },
            // A desk loads the inspector without the code of the carrier.
            { name: 'inspector', test: /\/app-inspector|\/client\/inspect\/(?:inspector|until-loaded)\.ts/ },
            {
              name: 'carrying',
              test: /relay-row-schemas|\/attached-carrier|\/client\/carrier\.ts|\/client\/(?:relay\/|open-carrying)|\/shared\/relay\//,
            },
            {
              name: 'devtools',
              test: /\/client\/(?:devtools\/|inspect\/(?!inspector\.ts|until-loaded)|app\/phone\/devtools\/)/,
            },
          ],
        },
      },
    },
  },
});

/** Groups the texts that load on demand. The shared ones load on demand on a phone, but at the start of a watch. */
function textGroups(languages: string[]) {
  return [
    { name: 'shared-texts', test: /\/text\/\w\w\/(?:errors|undone)\.ts$/ },
    ...languages.flatMap((language) => [
      { name: `watch-text-${language}-camera`, test: new RegExp(`/text/${language}/watch-camera\\.ts$`) },
      { name: `watch-text-${language}-relay`, test: new RegExp(`/text/${language}/watch-relay\\.ts$`) },
      { name: `text-${language}-devtools`, test: new RegExp(`/devtools/text/${language}\\.ts$`) },
      { name: `text-${language}-pairing`, test: new RegExp(`/text/${language}/pairing\\.ts$`) },
      {
        name: `text-${language}-on-demand`,
        test: new RegExp(`/text/${language}/(?!(?:texts|phone|watch|desk|update)\\.ts)`),
      },
    ]),
  ];
}

/** Matches the modules that load on demand. The size test names the built files that have them. */
const onDemandModules =
  /node_modules\/(?:uqr|qr|eventsource-parser|fflate|@hpke)\/|\/shared\/(?:(?:export|import)\/|value-stream\/(?!work-type-marks))|\/client\/(?:export-runs|import-steps|draw-value-stream)|\/client\/(?:relay|hand-over)\/|\/client\/(?:open-(?:carrying|hand-over)|carrier\.ts|hand-over\.ts)|\/attached-(?:carrier|hand-over)|\/app-inspector|\/devtools-setting|\/client\/(?:devtools|inspect|entries)\/|\/shared\/relay\/|relay-row-schemas|\/text\/(?:relay|interchange)\/|\/client\/(?:transfer|sync|devices)\/|\/client\/open-sync|\/client\/outbox\/(?:attention\/|model\/(?:sequence\/(?:importing|fork)|dependents\/returned-runs))|\/recording\/(?:taps\/edit-taps|transfer-drafts|cycles|custody|earlier-recording)|\/client\/(?:open-photos|photos\/|recording\/taps\/take-photo|generated\/photo-row)|\/rxjs\/.*\/(?:fromEvent|never|exhaustMap|scan|scanInternals|takeWhile)\.js|\/import-recording|\/client\/(?:compare-runs|figures-on-demand)|\/recording-fingerprint|\/shell\/(?:updates|background-sync|earlier-stages)|\/update-offer|\/text\/(?:\w\w\/)?update|\/shell\/time\.ts|\/text\/pairing|\/pairing\/(?:pair-screen|join-question|device-name|failure-text|save-file|unsent)|\/ui\/(?:commands|dialog|field|kept-texts|named-text|radio-group|select-field|size-text)|\/migration\/migrate\.ts|\/recorder\/(?:groups|map-letters|step-suggestions|undo-with-toast)|\/journal\/(?:restore-rows|recovery|diverged|log\.ts)|\/rx-row-store|\/row-schemas|\/storage\/supplied\/|\/core\/platform|\/(?:shared\/(?:brief|packed)\/|domain\/study\/|generated\/(?:compare|mutation)|core\/sendable|schema\/instant|schema\/integration\/import-limits|schema\/photos\/photo-id|protocol\/(?:value-count|effects|device-report|record-versions)\b)/;
/** Matches the modules that only some pages need, and the styles. */
const singlePageModules =
  /\/client\/app\/(?:phone|watch|desk|text\/(?:\w\w\/(?!texts)|phone|watch|format-watch|desk))|\.(?:css|html)$/;
const startCandidates = /node_modules|preload-helper|\/client\/|\/shared\/|rolldown\/runtime/;

function isNeededAtStart(id: string): boolean {
  return startCandidates.test(id) && !onDemandModules.test(id) && !singlePageModules.test(id);
}

/** Serves each page at its paths during `npm run dev`. In production, the server does so. */
function pagePaths(): Plugin {
  return {
    name: 'gemba-page-paths',
    configureServer: ({ middlewares }) => {
      middlewares.use((req, _res, next) => {
        const { url = '/' } = req;
        req.url = appPageOf(new URL(url, 'http://localhost').pathname) ?? url;
        next();
      });
    },
  };
}

/** Adds `sw.js`, which lists the files of this build. */
function serviceWorker(): Plugin {
  return {
    name: 'gemba-service-worker',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const names = await readdir(publicDir, { recursive: true });
        const publicFiles = names.filter((name) => name.includes('.')).map((name) => name.replaceAll('\\', '/'));
        const shell = [...Object.keys(bundle), ...publicFiles].map((name) => `/${name}`).toSorted();
        const hash = createHash('sha256');
        for (const output of Object.values(bundle)) hash.update(output.type === 'chunk' ? output.code : output.source);
        for (const name of publicFiles) hash.update(await readFile(join(publicDir, name)));
        const version = hash.digest('hex').slice(0, 12);
        // Each page carries the version of its build.
        for (const page of Object.keys(appPages).map((path) => bundle[path.slice(1)] as Rollup.OutputAsset)) {
          page.source = String(page.source).replace('<html', `<html data-version="${version}"`);
        }
        this.emitFile({ type: 'asset', fileName: 'sw.js', source: await serviceWorkerCode(shell, version) });
      },
    },
  };
}

/** Puts the logo into the HTML of each page, since an image file would be one more request at each start. */
function logoInPage(): Plugin {
  return {
    name: 'gemba-logo-in-page',
    transformIndexHtml: async (page) =>
      page.replace('<!-- logo -->', await readFile(join(publicDir, 'icons/icon.svg'), 'utf8')),
  };
}

async function serviceWorkerCode(shell: string[], version: string): Promise<string> {
  const result = (await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    define: {
      __SHELL__: JSON.stringify(shell),
      __VERSION__: JSON.stringify(version),
      __APP_PAGES__: JSON.stringify(appPages),
    },
    build: {
      write: false,
      modulePreload: false,
      rolldownOptions: { input: serviceWorkerSource, output: { format: 'iife', entryFileNames: 'sw.js' } },
    },
  })) as Rollup.RollupOutput;
  return result.output[0].code;
}
