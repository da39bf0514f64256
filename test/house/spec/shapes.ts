/** Hashes of the schemas that devices in the field use, by version. shapes.test.ts says what to do when one changes. */
export const pinnedShapes: Record<'mutations' | 'protocol', Record<string, string>> = {
  mutations: {
    'create_map 1': '777c41df79c2d5ed',
    'update_map 1': '0dc8414aed2d4b91',
    'delete_map 1': '7e8581d1209b783d',
    'restore_map 1': '7e8581d1209b783d',
    'add_stage 1': 'd5bfad2039c3e0ec',
    'update_stage 1': 'db5986ab1acaf497',
    'delete_stage 1': '50e18c2d5a3b909e',
    'reorder_stages 1': 'a2c90335f96d3d34',
    'replace_stages 1': '1d948e4340272678',
    'upload_recording 1': '53f38375d54698fb',
    'record_new_map 1': '8b3d553f9215c749',
    'update_run 1': '9ca5b37b3a49d43c',
    'correct_run 1': 'ad287f45ce75becb',
    'delete_run 1': '41dd0fcdd0df2b17',
  },
  protocol: {
    'PushRequest 1': 'e3ece44a7649b159',
    'MutationEnvelope 1': 'ee3b1c736d3a756a',
    'PushResponse 1': '587783abd898c09d',
    'PullQuery 1': '3b776b42dfa814ba',
    'PullResponse 1': '6b677988d0f1b5ea',
  },
};
